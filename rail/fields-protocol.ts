/**
 * The `postMessage` protocol between the hosted page and a rail's card-field document, the same for every rail.
 * `rail/README.md` shows the sequence.
 *
 * Each side sends to the exact target origin, and accepts a message only from the other side's `origin` and `source`
 * window. Card data never appears in a message.
 *
 * This file runs in browsers: it contains types and small pure guards, and imports no values.
 */
import { isWallet, type MethodType, type Wallet } from '../domain/payment/payment-method.ts';

/** Distinguishes the service's messages from those of browser extensions and other frames. */
export const FIELDS_CHANNEL = 'card-fields/1';

export type FieldName = 'number' | 'expiry' | 'cvc';

/** Messages from the card-field document to the page. */
export type FieldsMessage =
  | FieldsReady
  | FieldsChange
  | FieldsToken
  | FieldsError
  | FieldsHeight
  | FieldsAttention;

/** The fields are ready for input; sent once after each load of the document. */
interface FieldsReady {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'ready';
}

/** The buyer typed, or left a field. */
interface FieldsChange {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'change';
  /** True if all fields are filled in and valid: the page may then enable its button. */
  readonly complete: boolean;
  readonly empty: boolean;
  /** `visa`, `mastercard`, …; null until the number reveals it. */
  readonly brand: string | null;
  /** True if the buyer pressed Enter in a field: the page reacts as to a click on its pay button. */
  readonly submitRequested: boolean;
}

/** The successful answer to `submit`. */
interface FieldsToken {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'token';
  /** A single-use token, valid for this rail account only. */
  readonly token: string;
  readonly method: {
    readonly type: MethodType;
    readonly brand: string | null;
    readonly last4: string | null;
  };
}

/** The failed answer to `submit`. The document shows the message beside the field. */
interface FieldsError {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'error';
  /** The invalid field, which now has focus; null if the cause is not a field. */
  readonly field: FieldName | null;
  /** Stable and machine-readable, e.g. `number_invalid`, `not_a_test_card`, `rail_unreachable`. */
  readonly code: string;
  /** A message for the buyer, in the document's language. */
  readonly message: string;
}

/** The document's height in CSS pixels changed: the page resizes the frame. */
interface FieldsHeight {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'height';
  readonly heightPx: number;
}

/**
 * The buyer must press the wallet's own button in the frame before `submit` can be answered. The page shows the frame
 * and waits without a time limit.
 */
interface FieldsAttention {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'attention';
}

/** Messages from the page to the card-field document. */
export type PageMessage = PageSubmit | PageFocus;

/**
 * Requests a token for the typed card or the wallet. Exactly one `token` or `error` is sent in reply; further submits
 * are ignored until then.
 */
interface PageSubmit {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'submit';
  /** The amount to pay, in cents, for the wallet's sheet; it may have changed since the document was loaded. */
  readonly amount: number;
  /** The wallet to pay with instead of the typed card. */
  readonly wallet?: Wallet;
}

/** Focuses a field, by default the first one. */
interface PageFocus {
  readonly channel: typeof FIELDS_CHANNEL;
  readonly type: 'focus';
  readonly field?: FieldName;
}

/** Checks the shape only: the caller has checked origin and source. */
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

/** Checks the shape only: the caller has checked origin and source. */
export function isPageMessage(data: unknown): data is PageMessage {
  if (!isOurs(data)) return false;
  if (data.type === 'submit')
    return isAmount(data.amount) && (data.wallet === undefined || isWallet(data.wallet));
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

function isAmount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
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
