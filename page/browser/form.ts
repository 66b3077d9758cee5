/** The form: the email field if the email is unknown, the payment methods, the rail's card fields, the button. */
import { supportLinks } from '../document/contact.ts';
import { formWords } from '../document/form-words.ts';
import type { Html } from '../document/html.ts';
import { icons } from '../document/icons.ts';
import type { Notice } from '../document/status.ts';
import type { PageView } from '../document/view.ts';
import type { Words } from '../document/words.ts';
import { CardArea, type Method } from './card-area.ts';
import { focusOn } from './core/announce.ts';
import { button, el, nodesOf, svg } from './core/dom.ts';
import type { TextField } from './core/text-field.ts';
import { type EmailField, emailField, payingAs } from './email-field.ts';
import { availableMethods, type MethodChoice, methodChoice } from './methods.ts';
import { nameField } from './name-field.ts';
import { PayButton } from './pay-button.ts';
import { type QuantityField, quantityField } from './quantity-field.ts';

export interface PayFormOptions {
  readonly words: Words;
  readonly view: PageView;
  readonly onPay: () => void;
  readonly onCancel: () => void;
  readonly onQuantity?: (quantity: number) => void;
  /** In the preview, replaces the rail's card fields. */
  readonly drawnFields?: HTMLElement;
}

export class PayForm {
  readonly element: HTMLFormElement;
  /** The line of the heading, with room for the countdown on its right. */
  readonly head: HTMLElement;
  readonly #words: Words;
  readonly #quantity: QuantityField | null;
  readonly #notice = el('div', { class: 'notice', hidden: true });
  readonly #email: EmailField | null;
  readonly #name: TextField | null;
  readonly #choice: MethodChoice;
  readonly #card: CardArea;
  readonly #keeps: HTMLInputElement | null;
  readonly #firstCharge: HTMLElement | null;
  readonly #button: PayButton;
  readonly #cancel: HTMLElement;
  readonly #support: Html | null;

  constructor({ words, view, onPay, onCancel, onQuantity = () => {}, drawnFields }: PayFormOptions) {
    const { strings } = words;
    const methods = availableMethods(view);
    this.#words = words;
    this.#quantity = quantityField(words, view, onQuantity);
    this.#support = supportLinks(view.merchant.support);
    this.#email = view.email.confirmed ? null : emailField(words, view);
    this.#name = nameField(words, view);
    this.#choice = methodChoice(words, view, methods, (method) => this.#card.select(method));
    this.#card = new CardArea({
      words,
      fields: view.fields,
      drawnFields,
      method: this.#choice.value(),
      onSubmitRequested: onPay,
      onWalletButton: () => this.#button.setBusy(strings.busyWallet),
    });
    this.#keeps = view.link === null ? null : el('input', { type: 'checkbox', name: 'keeps-method' });
    const { firstCharge, payButton } = formWords(words, view);
    this.#firstCharge =
      firstCharge === null ? null : el('p', { id: 'first-charge', class: 'first-charge' }, firstCharge);
    const describedBy = [firstCharge && 'first-charge', view.price.recurring && 'terms'].filter(Boolean);
    this.#button = new PayButton(payButton, describedBy.join(' ') || undefined);
    const cancelText = view.redirect ? strings.cancel : strings.cancelPlain;
    this.#cancel = button('link cancel', onCancel, cancelText);
    this.head = el('div', { class: 'form-head' }, el('h2', { id: 'form-heading' }, strings.formHeading));
    const secure = el('p', { class: 'secure' }, svg(icons.lock), el('span', {}, strings.secureNote));
    this.element = formAround(onPay, [
      this.head,
      this.#notice,
      this.#quantity?.element ?? null,
      this.#email?.element ?? payingAs(words, view),
      this.#name?.element ?? null,
      this.#choice.element,
      this.#card.element,
      this.#card.walletHint,
      this.#card.problem,
      this.#keeps && el('label', { class: 'keeps-method' }, this.#keeps, el('span', {}, strings.keepMethod)),
      this.#firstCharge,
      this.#button.element,
      this.#button.hint,
      secure,
      this.#cancel,
    ]);
    if ((view.fields || drawnFields) && methods.length > 0) this.#card.load();
    else this.#showUnavailable(secure);
  }

  /** Shows the view's charges for the quantity that the buyer has chosen. */
  showPrice(view: PageView): void {
    const { firstCharge, payButton } = formWords(this.#words, view);
    if (this.#firstCharge && this.#firstCharge.textContent !== firstCharge) {
      this.#firstCharge.hidden = firstCharge === null;
      this.#firstCharge.textContent = firstCharge;
    }
    this.#button.idleText = payButton;
  }

  /** Returns the chosen quantity, undefined if it is fixed, or null if it is invalid and the field now has focus. */
  readQuantity(): number | undefined | null {
    return this.#quantity?.read();
  }

  /**
   * Returns the typed email, undefined if the form does not ask for it, or null if it is invalid and its field now
   * has focus.
   */
  readEmail(): string | undefined | null {
    return this.#email?.read();
  }

  /** Returns the typed spelling of the name, or undefined; the server validates it. */
  readName(): string | undefined {
    return this.#name?.input.value.trim() || undefined;
  }

  /** True if the buyer agreed that the method also pays the subscription; undefined if the form does not ask. */
  get keepsMethod(): boolean | undefined {
    return this.#keeps?.checked;
  }

  /** Returns a token for the card or wallet; null if there is none, and the form shows the reason. */
  readMethod(amount: number): Promise<Method | null> {
    return this.#card.readMethod(amount);
  }

  /** @param locked true if the buyer can no longer change anything */
  setBusy([text, hint]: readonly [text: string | null, hint?: string], locked: boolean): void {
    const busy = text !== null;
    this.#card.busy = busy;
    this.element.dataset.busy = String(busy);
    this.#button.setBusy(busy ? (this.#cardText() ?? text) : null, hint);
    const { element: choice } = this.#choice;
    const keeps = this.#keeps?.parentElement;
    // The click has already read these fields.
    for (const part of [this.#quantity?.element, this.#email?.element]) if (part) part.inert = busy;
    const parts = [this.#name?.element, choice, this.#card.element, keeps, this.#cancel];
    for (const part of parts) if (part) part.inert = locked;
  }

  /** Returns why a click is waiting for the card's frame; null for the usual wait. */
  #cardText(): string | null {
    const { busyWallet, cardFieldsLoading } = this.#words.strings;
    if (this.#card.waitsForWallet) return busyWallet;
    return this.#card.isLoading ? cardFieldsLoading : null;
  }

  setNotice(notice: Notice | null, focus: boolean): void {
    this.#notice.hidden = notice === null;
    if (notice === null) return;
    const text = el('div', {}, el('h3', {}, notice.title), el('p', {}, notice.body));
    if (this.#support) text.append(...nodesOf(this.#support));
    this.#notice.replaceChildren(svg(icons.failure), text);
    if (focus) focusOn(this.#notice);
  }

  showEmailProblem(text: string): void {
    this.#email?.showProblem(text);
  }

  showNameProblem(text: string): void {
    this.#name?.showProblem(text);
  }

  #showUnavailable(secure: HTMLElement): void {
    const { element: card, walletHint } = this.#card;
    const parts = [
      this.#quantity?.element,
      this.#email?.element,
      this.#name?.element,
      this.#choice.element,
      card,
      walletHint,
      this.#keeps?.parentElement,
      this.#firstCharge,
      this.#button.element,
      secure,
    ];
    for (const part of parts) if (part) part.hidden = true;
    this.#notice.hidden = false;
    this.#notice.append(el('p', {}, this.#words.strings.cardFieldsUnavailable));
  }
}

function formAround(onPay: () => void, parts: readonly (HTMLElement | null)[]): HTMLFormElement {
  const onSubmit = (event: Event) => {
    event.preventDefault();
    onPay();
  };
  return el(
    'form',
    {
      class: 'pay-form',
      noValidate: true,
      attributes: { 'aria-labelledby': 'form-heading' },
      on: { submit: onSubmit },
    },
    ...parts,
  );
}
