/** The latest view of the session, and its listeners. */
import type { PageView } from '../document/view.ts';
import { setServerTime } from './clock.ts';

export class Store {
  view: PageView;
  readonly #listeners: (() => void)[] = [];

  constructor(view: PageView) {
    this.view = view;
    setServerTime(view.serverTime);
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
    if (view.version < this.view.version || view.serverTime < this.view.serverTime) return;
    this.view = view;
    setServerTime(view.serverTime);
    this.changed();
  }
}
