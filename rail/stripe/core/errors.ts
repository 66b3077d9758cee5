/**
 * Maps Stripe's error responses to outcomes. An error's text is never passed on, because it may contain the buyer's
 * input or part of a key.
 */
import {
  CARD_CODES,
  type Decline,
  declineOf,
  type ErrorCode,
  hard,
  type StripeRefusal,
} from './decline-codes.ts';

/** Codes of calls that had no effect and may be retried. */
const BUSY_CODES: ReadonlySet<string> = new Set([
  'idempotency_key_in_use',
  'lock_timeout',
  'payment_intent_rate_limit_exceeded',
  'rate_limit',
] satisfies ErrorCode[]);

/** Codes for an intent in a state that the call does not expect: retrieve the intent. */
const MOVED_ON_CODES: ReadonlySet<string> = new Set([
  'intent_invalid_state',
  'payment_intent_unexpected_state',
  'setup_intent_unexpected_state',
] satisfies ErrorCode[]);

/** Codes that, with a 403, mean that Stripe rejects the account or the entire key for any call. */
const ACCOUNT_CODES: ReadonlySet<string> = new Set([
  'account_invalid',
  'api_key_expired',
  'livemode_mismatch',
  'platform_account_required',
  'platform_api_key_expired',
  'secret_key_required',
  'testmode_charges_only',
] satisfies ErrorCode[]);

export type Meaning =
  | ({ readonly kind: 'declined' } & Decline)
  | { readonly kind: 'busy' }
  | { readonly kind: 'movedOn' }
  /** The id does not exist. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'serverError' }
  | { readonly kind: 'accountRefused' }
  /**
   * A restricted key lacks the permission for this endpoint. Stripe has no code for this case, so every 403 without one
   * of `ACCOUNT_CODES` is treated as this case.
   */
  | { readonly kind: 'notPermitted' }
  /** An idempotency key was reused with another body: a lost copy of the database had used it first. */
  | { readonly kind: 'usedBefore' }
  | { readonly kind: 'misconfigured' };

/** Classifies an error response. */
export function meaningOf(status: number, refusal: StripeRefusal): Meaning {
  const { type, code } = refusal;
  if (status === 429 || BUSY_CODES.has(code ?? '')) return { kind: 'busy' };
  if (status >= 500) return { kind: 'serverError' };
  if (status === 401 || (status === 403 && ACCOUNT_CODES.has(code ?? ''))) return { kind: 'accountRefused' };
  if (status === 403) return { kind: 'notPermitted' };
  if (type === 'idempotency_error') return { kind: 'usedBefore' };
  if (MOVED_ON_CODES.has(code ?? '')) return { kind: 'movedOn' };
  if (isAboutTheCard(refusal)) return { kind: 'declined', ...declineOf(refusal) };
  if (code === 'resource_missing' && isAboutTheMandate(refusal)) {
    return { kind: 'declined', ...hard('processing_error') };
  }
  if (code === 'resource_missing') return { kind: 'missing' };
  return { kind: 'misconfigured' };
}

function isAboutTheCard({ type, code, param }: StripeRefusal): boolean {
  return type === 'card_error' || (code ?? '') in CARD_CODES || param === 'payment_method';
}

/** Returns true if the mandate's customer is deleted or belongs to another account. */
function isAboutTheMandate({ param }: StripeRefusal): boolean {
  return param === 'customer';
}

/** Stripe's codes for a refund that failed or was rejected. */
const REFUND_FAILURES: ReadonlySet<string> = new Set([
  'charge_already_refunded',
  'charge_disputed',
  'charge_for_pending_refund_disputed',
  'charge_not_refundable',
  'declined',
  'expired_or_canceled_card',
  'insufficient_funds',
  'lost_or_stolen_card',
  'merchant_request',
  'refund_disputed_payment',
]);

export function refundFailureOf(code: string | null | undefined): string {
  return code && REFUND_FAILURES.has(code) ? code : 'refund_refused';
}
