/** The latest view of the session, with the buyer's quantity, and its listeners. */
import { type PageView, withQuantity } from '../../document/view.ts';
import { setServerTime } from './clock.ts';

export class Store {
  #view: PageView;
  #quantity: number | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor(view: PageView) {
    this.#view = view;
    setServerTime(view.serverTime);
  }

  get view(): PageView {
    return this.#quantity === null ? this.#view : withQuantity(this.#view, this.#quantity);
  }

  choose(quantity: number): void {
    this.#quantity = quantity;
    this.changed();
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Notifies the listeners of a change that happened in this tab only. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Accepts a view unless it is older than the current one: responses may arrive out of order. */
  accept(view: PageView): void {
    if (view.version < this.#view.version || view.serverTime < this.#view.serverTime) return;
    this.#view = view;
    setServerTime(view.serverTime);
    this.changed();
  }
}
