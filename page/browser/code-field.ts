/** The code of a coupon, beneath the product: a field to enter one, or the button that removes it. */
import type { PageErrorCode } from '../document/answers.ts';
import { formWords } from '../document/form-words.ts';
import type { Words } from '../document/words.ts';
import { announce } from './core/announce.ts';
import { button, byId, el } from './core/dom.ts';
import { postUntilAnswered } from './core/net.ts';
import type { Store } from './core/store.ts';
import { textField } from './core/text-field.ts';

export class CodeField {
  readonly #words: Words;
  readonly #store: Store;
  readonly #place = byId('code-entry');
  readonly #field;
  readonly #opener: HTMLElement;
  readonly #entry: HTMLDetailsElement;
  readonly #remove: HTMLElement;
  readonly #removal: HTMLElement;
  readonly #removalProblem = el('p', { class: 'problem', hidden: true });

  constructor(words: Words, store: Store) {
    this.#words = words;
    this.#store = store;
    const { addCode, applyCode, codeLabel, removeCode } = words.strings;
    this.#field = textField(codeLabel, null, {
      id: 'code',
      autocomplete: 'off',
      required: true,
      maxLength: 60,
      dir: 'auto',
      attributes: { autocapitalize: 'characters' },
    });
    this.#opener = el('summary', { class: 'link' }, addCode);
    this.#entry = el('details', {}, this.#opener, this.#form(applyCode));
    this.#remove = button('link', () => void this.#send(null), removeCode);
    this.#removal = el('div', {}, this.#remove, this.#removalProblem);
  }

  /** @param locked whether a click is in progress */
  show(isPayable: boolean, locked: boolean): void {
    const { takesCodes, coupon } = this.#store.view;
    this.#place.hidden = !isPayable || !takesCodes;
    this.#place.inert = locked;
    const [wanted, focusable] = coupon ? [this.#removal, this.#remove] : [this.#entry, this.#opener];
    if (wanted.parentElement === this.#place) return;
    const hadFocus = this.#place.contains(document.activeElement);
    this.#entry.open = false;
    this.#field.input.value = '';
    this.#place.replaceChildren(wanted);
    if (hadFocus) focusable.focus();
  }

  /** A separate form, so that Enter applies the code instead of paying. */
  #form(applyCode: string): HTMLElement {
    const submit = (event: Event) => {
      event.preventDefault();
      void this.#send(this.#field.input.value);
    };
    return el(
      'form',
      { on: { submit } },
      this.#field.element,
      el('button', { type: 'submit', class: 'button quiet' }, applyCode),
    );
  }

  async #send(code: string | null): Promise<void> {
    if (this.#place.ariaBusy) return;
    this.#place.ariaBusy = 'true';
    this.#removalProblem.hidden = true;
    const answer = await postUntilAnswered('code', { code }, () => this.#store.view.state !== 'created');
    this.#place.ariaBusy = null;
    if (answer?.kind === 'view') {
      this.#store.accept(answer.view);
      const { coupon, payButton } = formWords(this.#words, this.#store.view);
      announce([coupon, payButton].filter(Boolean).join('. '));
    } else if (answer) {
      this.#refuse(answer.code);
    }
  }

  #refuse(code: PageErrorCode): void {
    const { codeRefused, codesUsedUp, tooManyBody, railOutBody } = this.#words.strings;
    const texts: Partial<Record<PageErrorCode, string>> = {
      too_many_codes: codesUsedUp,
      rate_limited: tooManyBody,
      payment_rail_unavailable: railOutBody,
    };
    const text = texts[code] ?? codeRefused;
    this.#removalProblem.textContent = text;
    this.#removalProblem.hidden = false;
    if (this.#entry.isConnected) this.#field.showProblem(text);
    announce(text);
  }
}
