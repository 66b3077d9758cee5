/** The last view of the session, and who wants to hear of a newer one. */
import type { PageView } from '../view.ts';
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

  /** What only this tab knows has changed. */
  changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** An older answer that was overtaken on its way changes nothing. */
  accept(view: PageView): void {
    if (view.version < this.view.version || view.serverTime < this.view.serverTime) return;
    this.view = view;
    setServerTime(view.serverTime);
    this.changed();
  }
}
