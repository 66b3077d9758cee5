/**
 * What the hosted page and a rail's card-field document say to each other with `postMessage`. Every rail's
 * document speaks it, so that the page knows only this file; `rail/README.md` tells it as a story.
 *
 * Both sides name the exact target origin when they send, and believe a message only when its `origin` and
 * its `source` window are the other side's. Card data never appears in a message.
 *
 * Browser code: types and small pure guards, no imports of values.
 */

/** Marks our messages among those that extensions and other frames send. */
export const FIELDS_CHANNEL = 'card-fields/1';

export type FieldName = 'number' | 'expiry' | 'cvc';
export type FieldsWallet = 'apple_pay' | 'google_pay';

/** From the card-field document to the page. */
export type FieldsMessage =
  | FieldsReady
  | FieldsChange
  | FieldsToken
  | FieldsError
  | FieldsHeight
  | FieldsAttention;

/** The fields can be used; sent once after each load of the document. */
export interface FieldsReady {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'ready';
}

/** The buyer typed, or left a field. */
export interface FieldsChange {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'change';
  /** Every field is filled in and looks right: the page may enable its button. */
  readonly complete: boolean;
  readonly empty: boolean;
  /** `visa`, `mastercard`, …; null until the number tells. */
  readonly brand: string | null;
  /** The buyer pressed Enter in a field: the page does what its pay button does. */
  readonly submitRequested: boolean;
}

/** The answer to `submit` when it went well. */
export interface FieldsToken {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'token';
  /** Single use; means nothing to anybody but the rail's account. */
  readonly token: string;
  readonly method: {
    readonly type: 'card' | FieldsWallet;
    readonly brand: string | null;
    readonly last4: string | null;
  };
}

/** The answer to `submit` when it did not. The document shows the words beside the field by itself. */
export interface FieldsError {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'error';
  /** The field to mend, which now has the focus; null when the trouble is not in a field. */
  readonly field: FieldName | null;
  /** Stable word for programs, e.g. `number_invalid`, `not_a_test_card`, `rail_unreachable`. */
  readonly code: string;
  /** For the buyer, in the language that the document was asked for. */
  readonly message: string;
}

/** The document's height changed: the page gives the frame this many CSS pixels. */
export interface FieldsHeight {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'height';
  readonly heightPx: number;
}

/**
 * Before it can answer `submit`, the document needs the buyer: a wallet whose own button has to be pressed in
 * the frame. The page shows the frame and waits as long as the buyer takes.
 */
export interface FieldsAttention {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'attention';
}

/** From the page to the card-field document. */
export type PageMessage = PageSubmit | PageFocus;

/**
 * Make a token of what was typed, or of the wallet; answered by exactly one `token` or `error`. Further
 * ones are ignored until that answer.
 */
export interface PageSubmit {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'submit';
  /** Pay with this wallet instead of the typed card. */
  readonly wallet?: FieldsWallet;
}

/** Put the focus into a field, the first one by default. */
export interface PageFocus {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'focus';
  readonly field?: FieldName;
}

/** What arrived is a message of the card-field document; the caller has checked origin and source. */
export function isFieldsMessage(data: unknown): data is FieldsMessage {
  if (!isOurs(data)) return false;
  switch (data.type) {
    case 'ready':
    case 'attention':
      return true;
    case 'change':
      return (
        typeof data.complete === 'boolean' &&
        typeof data.empty === 'boolean' &&
        typeof data.submitRequested === 'boolean' &&
        isTextOrNull(data.brand)
      );
    case 'token':
      return typeof data.token === 'string' && data.token !== '' && isMethod(data.method);
    case 'error':
      return typeof data.code === 'string' && typeof data.message === 'string' && isFieldOrNull(data.field);
    case 'height':
      return typeof data.heightPx === 'number' && data.heightPx >= 0 && data.heightPx < 10_000;
    default:
      return false;
  }
}

/** What arrived is a message of the page; the caller has checked origin and source. */
export function isPageMessage(data: unknown): data is PageMessage {
  if (!isOurs(data)) return false;
  if (data.type === 'submit') return data.wallet === undefined || isWallet(data.wallet);
  return data.type === 'focus' && (data.field === undefined || isField(data.field));
}

function isOurs(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && 'channel' in data && data.channel === FIELDS_CHANNEL;
}

function isMethod(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { type, brand, last4 } = value as Record<string, unknown>;
  return (type === 'card' || isWallet(type)) && isTextOrNull(brand) && isTextOrNull(last4);
}

function isWallet(value: unknown): boolean {
  return value === 'apple_pay' || value === 'google_pay';
}

function isField(value: unknown): boolean {
  return value === 'number' || value === 'expiry' || value === 'cvc';
}

function isFieldOrNull(value: unknown): boolean {
  return value === null || isField(value);
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
