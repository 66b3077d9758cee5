/**
 * Maps the sandbox rail's errors and failures to outcomes. Error messages never include parts of a request or
 * an answer: both may contain secrets.
 */
import type { DeclineCode, UnknownReason } from '../../domain/payment/attempt.ts';

interface Decline {
  readonly code: DeclineCode;
  readonly retryable: boolean;
}

const DECLINES = new Map<string, Decline>(
  Object.entries({
    do_not_honor: { code: 'card_declined', retryable: true },
    insufficient_funds: { code: 'insufficient_funds', retryable: true },
    stolen_card: { code: 'lost_or_stolen_card', retryable: false },
    expired_card: { code: 'expired_card', retryable: false },
    authentication_failed: { code: 'authentication_failed', retryable: true },
    // The bank requires the buyer to authenticate: an off-session retry cannot succeed, so dunning asks the buyer.
    authentication_required: { code: 'authentication_required', retryable: false },
    // The token has expired or belongs to another attempt: the buyer types the card again.
    token_invalid: { code: 'processing_error', retryable: true },
    mandate_invalid: { code: 'processing_error', retryable: false },
  }),
);

/** Classifies a decline. An unknown code is a decline too: the rail reports that no money moved. */
export function declineOf(railCode: string | null): Decline {
  return DECLINES.get(railCode ?? '') ?? { code: 'card_declined', retryable: true };
}

/** Interprets a response other than 200. */
export type Refusal =
  | { readonly kind: 'notFound' }
  /** The call had no effect and may be retried, immediately or after a pause. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  | { readonly kind: 'bug' };

const NOT_FOUND: ReadonlySet<string | null> = new Set([
  'charge_not_found',
  'refund_not_found',
  'token_not_found',
]);

/** @param code the `code` in the rail's `{ code, message }`; null for any other body */
export function refusalOf(status: number, code: string | null): Refusal {
  if (status === 429 || code === 'lock_timeout') return { kind: 'busy' };
  // A configuration error, or an account that is not active: raises an alert.
  if (status === 401 || status === 403) return { kind: 'unknown', reason: 'account_refused' };
  if (status >= 500) return { kind: 'unknown', reason: 'server_error' };
  // Only the rail's own code proves that the charge does not exist; a proxy's 404 does not.
  if (NOT_FOUND.has(code)) return { kind: 'notFound' };
  if (code === 'idempotency_key_conflict' || code === 'reference_conflict') {
    return { kind: 'unknown', reason: 'used_before' };
  }
  if (code === null) return { kind: 'unknown', reason: 'malformed_answer' };
  return { kind: 'bug' };
}

/** The rail rejects the call as invalid: a bug in this service, never the buyer's fault. */
export class SandboxRailRefusal extends Error {
  override readonly name = 'SandboxRailRefusal';

  constructor(operation: string, status: number, code: string) {
    super(`the sandbox rail rejects ${operation}: ${status} ${code}`);
  }
}
