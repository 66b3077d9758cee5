/** The document's side of the card-field protocol (`rail/fields-protocol.ts`). */
import {
  FIELDS_CHANNEL,
  type FieldName,
  type FieldsMessage,
  isPageMessage,
  type PageMessage,
} from '../../fields-protocol.ts';

type Said<Message> = Message extends unknown ? Omit<Message, 'channel'> : never;

export interface PageLink {
  tell(message: Said<FieldsMessage>): void;
  fail(code: string, message: string, field?: FieldName | null): void;
}

export function linkToPage(pageOrigin: string, hear: (message: PageMessage) => void): PageLink {
  addEventListener('message', ({ data, origin, source }: MessageEvent<unknown>) => {
    if (origin === pageOrigin && source === parent && isPageMessage(data)) hear(data);
  });
  const tell: PageLink['tell'] = (message) =>
    parent.postMessage({ channel: FIELDS_CHANNEL, ...message }, pageOrigin);
  new ResizeObserver(() => {
    tell({ type: 'height', heightPx: Math.ceil(document.documentElement.getBoundingClientRect().height) });
  }).observe(document.documentElement);
  return {
    tell,
    fail: (code, message, field = null) => tell({ type: 'error', field, code, message }),
  };
}
