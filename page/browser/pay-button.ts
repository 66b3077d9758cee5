/** The pay button: shows the effect of a click, or the progress after one. */
import { icons } from '../document/icons.ts';
import { announce, retract } from './core/announce.ts';
import { el, svg } from './core/dom.ts';

export class PayButton {
  readonly element: HTMLElement;
  /** Shown beneath the button, for text that is too long for it. */
  readonly hint = el('p', { class: 'hint pay-hint', hidden: true });
  readonly #label: HTMLElement;
  #idleText: string;
  #progress = '';

  /** @param describedBy ids of the terms that the click accepts */
  constructor(idleText: string, describedBy: string | undefined) {
    this.#idleText = idleText;
    this.#label = el('span', { class: 'pay-label' }, idleText);
    this.element = el(
      'button',
      { type: 'submit', class: 'button pay', attributes: { 'aria-describedby': describedBy } },
      el('span', { class: 'pay-spinner', attributes: { 'aria-hidden': 'true' } }, svg(icons.busy)),
      this.#label,
    );
  }

  /** Replaces the text that the button shows when it is idle. */
  set idleText(text: string) {
    if (this.#label.textContent === this.#idleText) this.#label.textContent = text;
    this.#idleText = text;
  }

  /** @param text the progress, which is announced once, until it ends; null when idle */
  setBusy(text: string | null, hint = ''): void {
    this.element.setAttribute('aria-disabled', String(text !== null));
    this.#label.textContent = text ?? this.#idleText;
    this.hint.textContent = hint;
    this.hint.hidden = hint === '';
    const progress = text === null ? '' : `${text} ${hint}`.trim();
    if (progress === '') retract(this.#progress);
    else if (progress !== this.#progress) announce(progress);
    this.#progress = progress;
  }
}
