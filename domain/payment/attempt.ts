/**
 * The outcome of one attempt to move money, as workflows and state machines see it. Contains only kinds and codes, no
 * card, token or address, because it is written into Temporal's history.
 *
 * `unknown` is an outcome, neither a failure nor a reason to charge again: the rail is queried first.
 * `notFound` counts as unknown until it is final (rule 4).
 */
export type AttemptOutcome =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly code: DeclineCode; readonly retryable: boolean }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'notFound' }
  /** `row_not_found`: the payment's row does not exist; its workflow reads the database again (rule 30). */
  | { readonly kind: 'unknown'; readonly reason: UnknownReason | 'row_not_found' };

/** A final answer: the rail is not asked again. */
export type FinalOutcome = Extract<AttemptOutcome, { readonly kind: 'approved' | 'declined' | 'cancelled' }>;

export function isFinalOutcome(outcome: AttemptOutcome): outcome is FinalOutcome {
  return outcome.kind === 'approved' || outcome.kind === 'declined' || outcome.kind === 'cancelled';
}

/** True if money moved: the requested amount, or a different one. */
export function hasMoved(outcome: AttemptOutcome): boolean {
  return outcome.kind === 'approved' || (outcome.kind === 'unknown' && outcome.reason === 'other_amount');
}

/** Decline codes of the service; each adapter maps its processor's codes to these. */
export const DECLINE_CODES = [
  'card_declined',
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'lost_or_stolen_card',
  'suspected_fraud',
  'authentication_failed',
  'authentication_required',
  'processing_error',
] as const;
export type DeclineCode = (typeof DECLINE_CODES)[number];

/** Why the rail's answer is unknown. Fixed codes: the processor's own text may hold secrets. */
export type UnknownReason =
  | 'timeout'
  | 'connection_lost'
  | 'server_error'
  | 'malformed_answer'
  | 'not_sent'
  /** The rail rejected the call until its deadline, because this account makes too many. */
  | 'busy'
  /** This reference was used before with different content: look up the earlier call (rule 28). */
  | 'used_before'
  /** The rail moved a different amount under this reference: an operator compares the two. */
  | 'other_amount'
  /** The rail rejects the account: its credential is wrong, or it lacks a permission. */
  | 'account_refused'
  /** The rail rejects the call as invalid: the account or its configuration needs fixing. */
  | 'misconfigured';
