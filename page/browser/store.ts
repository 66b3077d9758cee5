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

  /** Notifies the listeners of a change that only this tab knows. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Ignores views older than the current one, because answers may overtake one another. */
  accept(view: PageView): void {
    if (view.version < this.view.version || view.serverTime < this.view.serverTime) return;
    this.view = view;
    setServerTime(view.serverTime);
    this.changed();
  }
}
