/**
 * Splits a rail's outcome: its kind, with a decline's code or the reason of an unknown outcome, may enter a history; its
 * details (references, brand, challenge URL, mandate) are only recorded.
 */
import type { Answer, AnswerDetails } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { keyedHash } from '../../platform/secrets/keyed-hash.ts';
import { mandateOf } from '../../platform/secrets/places.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** @param customerId the customer for whom a mandate is encrypted */
export function withDetails(
  deps: ActivityDeps,
  attemptId: string,
  customerId: string,
  outcome: RailOutcome,
): Answer<AttemptOutcome> {
  return { attemptId, outcome: redact(outcome), details: detailsOf(deps, customerId, outcome) };
}

export function withoutDetails<Outcome>(attemptId: string, outcome: Outcome): Answer<Outcome> {
  return { attemptId, outcome, details: null };
}

/** The part of the outcome that may enter a history. */
function redact(outcome: RailOutcome): AttemptOutcome {
  switch (outcome.kind) {
    case 'declined':
      return { kind: 'declined', code: outcome.code, retryable: outcome.retryable };
    case 'unknown':
      return { kind: 'unknown', reason: outcome.reason };
    default:
      return { kind: outcome.kind };
  }
}

/** The details for the payment's row, with the mandate encrypted; null if the answer has none. */
function detailsOf(
  { secretBox, apiKeyPepper, session }: ActivityDeps,
  customerId: string,
  outcome: RailOutcome,
): AnswerDetails | null {
  if (!('railReference' in outcome)) return null;
  const mandate = outcome.kind === 'approved' && outcome.mandate;
  const card = outcome.kind === 'declined' && outcome.cardFingerprint;
  return {
    railReference: outcome.railReference,
    method: 'method' in outcome ? outcome.method : null,
    mandate: mandate ? secretBox.seal(mandate, mandateOf(customerId)) : null,
    challengeUrl: outcome.kind === 'challenge' ? outcome.url : null,
    challengeSeconds: session.challengeSeconds,
    card: card ? keyedHash(apiKeyPepper, 'card', card) : null,
  };
}
