/** The rail's card fields in the form: loading, failed, or ready for the chosen method. */
import type { MethodType } from '../../domain/payment/payment-method.ts';
import type { PageView } from '../document/view.ts';
import type { Words } from '../document/words.ts';
import { announce } from './core/announce.ts';
import { button, el } from './core/dom.ts';
import { CardFields, type FieldsState, type TokenResult } from './fields.ts';

export interface Method {
  readonly methodType: MethodType;
  readonly methodToken: string;
}

export interface CardAreaOptions {
  readonly words: Words;
  /** Null if the session's account has no card fields. */
  readonly fields: PageView['fields'];
  readonly drawnFields: HTMLElement | undefined;
  readonly method: MethodType;
  readonly onSubmitRequested: () => void;
  /** Called when the buyer has to press the wallet's own button, inside the frame. */
  readonly onWalletButton: () => void;
}

export class CardArea {
  readonly element: HTMLElement;
  readonly walletHint: HTMLElement;
  readonly problem = el('p', { class: 'problem', id: 'card-problem', hidden: true });
  /** True while a click is in progress. */
  busy = false;
  waitsForWallet = false;
  #method: MethodType;
  readonly #strings: Words['strings'];
  readonly #onWalletButton: () => void;
  readonly #fields: CardFields | null;
  readonly #loading: HTMLElement;
  readonly #failed: HTMLElement;

  constructor({ words, fields, drawnFields, method, onSubmitRequested, onWalletButton }: CardAreaOptions) {
    this.#strings = words.strings;
    this.#onWalletButton = onWalletButton;
    this.#method = method;
    this.#fields =
      fields &&
      new CardFields({
        ...fields,
        title: words.strings.cardFieldsTitle,
        onState: (state) => this.#showState(state),
        onSubmitRequested,
        onAttention: (needed) => this.#giveAttention(needed),
      });
    this.#loading = el('p', { class: 'fields-state' }, words.strings.cardFieldsLoading);
    this.#failed = this.#failedNote();
    this.walletHint = el('p', { class: 'hint' }, words.strings.walletHint);
    const parts = drawnFields ? [drawnFields] : [this.#fields?.element, this.#loading, this.#failed];
    this.element = el('div', { class: 'fields' }, brands(), ...parts);
    this.select(method);
  }

  get isLoading(): boolean {
    return this.#fields?.isLoading ?? false;
  }

  load(): void {
    this.#fields?.load();
  }

  select(method: MethodType): void {
    this.#method = method;
    this.problem.hidden = true;
    this.element.hidden = method !== 'card';
    this.walletHint.hidden = method === 'card';
  }

  /** Returns a token for the card or wallet; null if there is none: `problem` or the frame then shows the reason. */
  async readMethod(amount: number): Promise<Method | null> {
    this.problem.hidden = true;
    if (!this.#fields) return null;
    if (!(await this.#fields.isReady())) {
      // A card needs no message: the failure note already replaces the fields.
      if (this.#method !== 'card') this.#showProblem({ kind: 'silent' });
      return null;
    }
    const methodType = this.#method;
    const result = await this.#fields.submit(amount, methodType === 'card' ? undefined : methodType);
    if (result.kind === 'token') return { methodType, methodToken: result.token };
    this.#showProblem(result);
    return null;
  }

  #failedNote(): HTMLElement {
    const { cardFieldsFailed, cardFieldsRetry } = this.#strings;
    return el(
      'div',
      { class: 'fields-state fields-failed', hidden: true },
      el('p', {}, cardFieldsFailed),
      button('link', () => this.load(), cardFieldsRetry),
    );
  }

  #showState(state: FieldsState): void {
    this.problem.hidden = true;
    this.#loading.hidden = state !== 'loading';
    this.#failed.hidden = state !== 'failed';
    this.element.dataset.state = state;
    if (state === 'failed') announce(this.#strings.cardFieldsFailed);
  }

  #giveAttention(needed: boolean): void {
    const isCard = this.#method === 'card';
    this.element.hidden = !needed && !isCard;
    this.element.inert = !needed && this.busy;
    this.element.dataset.attention = String(needed);
    this.walletHint.hidden = needed || isCard;
    this.waitsForWallet = needed;
    if (needed) this.#onWalletButton();
  }

  #showProblem(result: Exclude<TokenResult, { kind: 'token' }>): void {
    // The card document has focused the invalid field and shows the message beside it.
    if (result.kind === 'error' && result.inField) return;
    this.problem.textContent = result.kind === 'error' ? result.message : this.#strings.cardFieldsFailed;
    this.problem.hidden = false;
    announce(this.problem.textContent);
  }
}

/** Shows the accepted card brands until the buyer types a number; then the fields show that card's brand. */
function brands(): HTMLElement {
  const marks = ['visa', 'mastercard', 'amex'].map((brand) =>
    el('span', { attributes: { 'data-brand': brand } }),
  );
  const attributes = { role: 'img', 'aria-label': 'Visa, Mastercard, American Express' };
  return el('div', { class: 'brands', attributes }, ...marks);
}
