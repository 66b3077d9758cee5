/**
 * The one table of what the sandbox rail's refusals and failures mean to the service. Nothing of a request
 * or an answer goes into an error: both may hold secrets.
 */
import type { DeclineCode, UnknownReason } from '../../domain/attempt.ts';

interface Decline {
  readonly code: DeclineCode;
  readonly retryable: boolean;
}

const DECLINES = new Map<string, Decline>(
  Object.entries({
    do_not_honor: { code: 'card_declined', retryable: true },
    insufficient_funds: { code: 'insufficient_funds', retryable: true },
    stolen_card: { code: 'lost_or_stolen_card', retryable: false },
    authentication_failed: { code: 'authentication_failed', retryable: true },
    // The buyer can do it, the same charge without the buyer cannot; dunning asks the buyer.
    authentication_required: { code: 'authentication_required', retryable: false },
    // A token of long ago, or of another attempt: the buyer types the card again.
    token_invalid: { code: 'processing_error', retryable: true },
    mandate_invalid: { code: 'processing_error', retryable: false },
  }),
);

/** A code that we do not know is a decline all the same: the rail says that no money moved. */
export function declineOf(railCode: string | null): Decline {
  return DECLINES.get(railCode ?? '') ?? { code: 'card_declined', retryable: true };
}

/** What an answer other than 200 says. */
export type Refusal =
  | { readonly kind: 'notFound' }
  /** Nothing was done, and the same call may be sent again at once or after a pause. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'unknown'; readonly reason: UnknownReason }
  | { readonly kind: 'bug' };

/** @param code the `code` of the rail's `{ code, message }`; null when the body was nothing of the kind */
export function refusalOf(status: number, code: string | null): Refusal {
  if (status === 429 || code === 'lock_timeout') return { kind: 'busy' };
  // A mistake in the configuration, or an account that is not (or no longer) active: it alerts.
  if (status === 401 || status === 403) return { kind: 'unknown', reason: 'account_refused' };
  if (status >= 500) return { kind: 'unknown', reason: 'server_error' };
  // Only the rail itself can say that it has no such charge; a proxy's 404 says nothing.
  if (code === 'charge_not_found' || code === 'refund_not_found') return { kind: 'notFound' };
  if (code === null) return { kind: 'unknown', reason: 'malformed_answer' };
  return { kind: 'bug' };
}

/** The rail understood the call and refuses it as wrong: a bug of ours, never the buyer's doing. */
export class SandboxRailRefusal extends Error {
  override readonly name = 'SandboxRailRefusal';

  constructor(operation: string, status: number, code: string) {
    super(`the sandbox rail refuses ${operation}: ${status} ${code}`);
  }
}

/** `listSince` has no outcome for "we do not know": whoever lists asks again later. */
export class SandboxRailListFailed extends Error {
  override readonly name = 'SandboxRailListFailed';

  constructor(reason: UnknownReason) {
    super(`the sandbox rail's list could not be read: ${reason}`);
  }
}
