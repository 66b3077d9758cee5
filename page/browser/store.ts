/** The last view of the session, and who wants to hear of a newer one. */
import type { SessionView } from '../view.ts';
import { setServerTime } from './clock.ts';

export class Store {
  view: SessionView;
  readonly #listeners: (() => void)[] = [];

  constructor(view: SessionView) {
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
  accept(view: SessionView): void {
    if (view.version < this.view.version || view.serverTime < this.view.serverTime) return;
    this.view = view;
    setServerTime(view.serverTime);
    this.changed();
  }
}
