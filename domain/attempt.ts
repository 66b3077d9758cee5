/**
 * What became of one attempt to move money, as workflows and state machines know it: kinds and codes
 * only, no card, no token, no address, because it is written into Temporal's history.
 *
 * `unknown` is an outcome of its own: it is looked up at the rail before anything else is tried, and
 * never turned into a failure or a second charge. `notFound` is `unknown` too until it is final
 * (rule 4).
 */
export type AttemptOutcome =
  | { readonly kind: 'approved' }
  | { readonly kind: 'declined'; readonly code: DeclineCode; readonly retryable: boolean }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason };

/** The service's own words for a refusal; each adapter maps its processor's codes to these, once. */
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

/** Why the rail's answer is not known. Words, never the processor's text: that may hold secrets. */
export type UnknownReason =
  | 'timeout'
  | 'connection_lost'
  | 'server_error'
  | 'malformed_answer'
  | 'not_sent'
  /** The rail has seen this reference with other content: look up what it did then (rule 28). */
  | 'used_before'
  /** The rail refuses the account: the credential is wrong, or may not do this. */
  | 'account_refused'
  /** The rail refuses the call as wrong: something in the account or in our configuration of it has to be mended. */
  | 'misconfigured';
