/** The rail's card fields in their frame. Card data stays in there; a single-use token comes out. */
import {
  FIELDS_CHANNEL,
  type FieldsMessage,
  type FieldsWallet,
  isFieldsMessage,
  type PageMessage,
} from '../../rail/fields-protocol.ts';
import { el } from './dom.ts';

const READY_WITHIN_MS = 15_000;
const TOKEN_WITHIN_MS = 20_000;

export type TokenResult =
  | { readonly kind: 'token'; readonly token: string }
  /** `field`: the document has put the focus where the mistake is, and says it there. */
  | { readonly kind: 'error'; readonly message: string; readonly inField: boolean }
  | { readonly kind: 'silent' };

export interface CardFields {
  readonly element: HTMLElement;
  submit(wallet?: FieldsWallet): Promise<TokenResult>;
  load(): void;
}

export interface CardFieldsOptions {
  readonly url: string;
  readonly origin: string;
  readonly title: string;
  readonly onState: (state: 'loading' | 'ready' | 'failed') => void;
  readonly onSubmitRequested: () => void;
  /** Until the buyer has done something in the frame there is no answer: it has to be seen and usable. */
  readonly onAttention: (needed: boolean) => void;
}

export function cardFields({
  url,
  origin,
  title,
  onState,
  onSubmitRequested,
  onAttention,
}: CardFieldsOptions): CardFields {
  const element = el('div', { class: 'fields-frame' });
  let frame: HTMLIFrameElement | undefined;
  let readyTimer: ReturnType<typeof setTimeout> | undefined;
  let ready = false;
  let waiting: ((result: TokenResult) => void) | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;

  addEventListener('message', ({ origin: from, source, data }: MessageEvent<unknown>) => {
    if (from !== origin || source !== frame?.contentWindow || !isFieldsMessage(data)) return;
    hear(data);
  });

  function hear(message: FieldsMessage): void {
    switch (message.type) {
      case 'ready':
        clearTimeout(readyTimer);
        ready = true;
        onState('ready');
        return;
      case 'attention':
        if (!waiting) return;
        clearTimeout(patience);
        onAttention(true);
        return;
      case 'height':
        if (frame) frame.style.height = `${Math.ceil(message.heightPx)}px`;
        return;
      case 'change':
        if (message.submitRequested) onSubmitRequested();
        return;
      case 'token':
        settle({ kind: 'token', token: message.token });
        return;
      case 'error':
        settle({ kind: 'error', message: message.message, inField: message.field !== null });
    }
  }

  function settle(result: TokenResult): void {
    waiting?.(result);
    waiting = undefined;
  }

  function load(): void {
    clearTimeout(readyTimer);
    ready = false;
    frame = el('iframe', { src: url, title, attributes: { allow: 'payment', scrolling: 'no' } });
    element.replaceChildren(frame);
    onState('loading');
    readyTimer = setTimeout(() => onState('failed'), READY_WITHIN_MS);
  }

  function say(message: PageMessage): void {
    frame?.contentWindow?.postMessage(message, origin);
  }

  return {
    element,
    load,
    submit(wallet) {
      if (!ready) return Promise.resolve({ kind: 'silent' });
      return new Promise((resolve) => {
        patience = setTimeout(() => settle({ kind: 'silent' }), TOKEN_WITHIN_MS);
        waiting = (result) => {
          clearTimeout(patience);
          onAttention(false);
          resolve(result);
        };
        say({ channel: FIELDS_CHANNEL, type: 'submit', ...(wallet && { wallet }) });
      });
    },
  };
}
