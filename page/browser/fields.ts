/** The rail's card fields in their frame: card data stays inside, only a single-use token comes out. */

import type { Wallet } from '../../domain/payment/payment-method.ts';
import {
  FIELDS_CHANNEL,
  type FieldsMessage,
  isFieldsMessage,
  type PageMessage,
} from '../../rail/fields-protocol.ts';
import { el } from './core/dom.ts';

export type FieldsState = 'loading' | 'ready' | 'failed';

const READY_WITHIN_MS = 15_000;
const TOKEN_WITHIN_MS = 20_000;

export type TokenResult =
  | { readonly kind: 'token'; readonly token: string }
  /** `inField`: the card document has focused the invalid field and shows the message beside it. */
  | { readonly kind: 'error'; readonly message: string; readonly inField: boolean }
  /** No answer in time. */
  | { readonly kind: 'silent' };

export interface CardFieldsOptions {
  readonly url: string;
  readonly origin: string;
  readonly title: string;
  readonly onState: (state: FieldsState) => void;
  readonly onSubmitRequested: () => void;
  /** Called when the frame waits for the buyer: it must then be visible and usable, and no deadline applies. */
  readonly onAttention: (needed: boolean) => void;
}

export class CardFields {
  readonly element = el('div', { class: 'fields-frame' });
  readonly #options: CardFieldsOptions;
  #frame: HTMLIFrameElement | undefined;
  #state: FieldsState = 'loading';
  #onLoaded: (() => void) | undefined;
  #readyTimer: ReturnType<typeof setTimeout> | undefined;
  #tokenTimer: ReturnType<typeof setTimeout> | undefined;
  #onResult: ((result: TokenResult) => void) | undefined;

  constructor(options: CardFieldsOptions) {
    this.#options = options;
    addEventListener('message', ({ origin, source, data }: MessageEvent<unknown>) => {
      const fromFrame = origin === options.origin && source === this.#frame?.contentWindow;
      if (fromFrame && isFieldsMessage(data)) this.#receive(data);
    });
  }

  load(): void {
    const { url, title } = this.#options;
    this.#frame = el('iframe', { src: url, title, attributes: { allow: 'payment', scrolling: 'no' } });
    this.element.replaceChildren(this.#frame);
    this.#setState('loading');
    this.#readyTimer = setTimeout(() => this.#setState('failed'), READY_WITHIN_MS);
  }

  get isLoading(): boolean {
    return this.#state === 'loading';
  }

  /**
   * Waits until the fields have loaded, and reloads them if loading failed.
   * @returns whether the fields are ready
   */
  async isReady(): Promise<boolean> {
    if (this.#state === 'failed') this.load();
    if (this.#state === 'loading') await new Promise<void>((resolve) => (this.#onLoaded = resolve));
    return this.#state === 'ready';
  }

  submit(amount: number, wallet?: Wallet): Promise<TokenResult> {
    return new Promise((resolve) => {
      this.#tokenTimer = setTimeout(() => this.#settle({ kind: 'silent' }), TOKEN_WITHIN_MS);
      this.#onResult = (result) => {
        clearTimeout(this.#tokenTimer);
        this.#options.onAttention(false);
        resolve(result);
      };
      this.#send({ channel: FIELDS_CHANNEL, type: 'submit', amount, ...(wallet && { wallet }) });
    });
  }

  #receive(message: FieldsMessage): void {
    const { onAttention, onSubmitRequested } = this.#options;
    switch (message.type) {
      case 'ready':
        this.#setState('ready');
        return;
      case 'attention':
        if (!this.#onResult) return;
        clearTimeout(this.#tokenTimer);
        onAttention(true);
        return;
      case 'height':
        if (this.#frame) this.#frame.style.height = `${Math.ceil(message.heightPx)}px`;
        return;
      case 'change':
        if (message.submitRequested) onSubmitRequested();
        return;
      case 'token':
        this.#settle({ kind: 'token', token: message.token });
        return;
      case 'error':
        this.#settle({ kind: 'error', message: message.message, inField: message.field !== null });
    }
  }

  #setState(state: FieldsState): void {
    clearTimeout(this.#readyTimer);
    this.#state = state;
    this.#options.onState(state);
    if (state !== 'loading') this.#onLoaded?.();
  }

  #settle(result: TokenResult): void {
    this.#onResult?.(result);
    this.#onResult = undefined;
  }

  #send(message: PageMessage): void {
    this.#frame?.contentWindow?.postMessage(message, this.#options.origin);
  }
}
