/**
 * Splits a rail's outcome: its kind, with a decline's code or the reason of an unknown outcome, may enter a history; its
 * details (references, brand, challenge URL, mandate) are only recorded.
 */
import { type AnswerDetails, customerOfPayment } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { keyedHash } from '../../platform/secrets/keyed-hash.ts';
import { mandateOf } from '../../platform/secrets/places.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { ActivityDeps } from '../core/deps.ts';
import type { DetailedOutcome } from './attempt.ts';

export async function withDetails(
  deps: ActivityDeps,
  paymentId: string,
  outcome: RailOutcome,
): Promise<DetailedOutcome<AttemptOutcome>> {
  return { outcome: redact(outcome), details: await detailsOf(deps, paymentId, outcome) };
}

export function withoutDetails(outcome: AttemptOutcome): DetailedOutcome<AttemptOutcome> {
  return { outcome, details: null };
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
async function detailsOf(
  { pool, secretBox, apiKeyPepper, session }: ActivityDeps,
  paymentId: string,
  outcome: RailOutcome,
): Promise<AnswerDetails | null> {
  if (!('railReference' in outcome)) return null;
  const mandate = outcome.kind === 'approved' && outcome.mandate;
  const card = outcome.kind === 'declined' && outcome.cardFingerprint;
  return {
    railReference: outcome.railReference,
    method: 'method' in outcome ? outcome.method : null,
    mandate: mandate ? secretBox.seal(mandate, mandateOf(await customerOfPayment(pool, paymentId))) : null,
    challengeUrl: outcome.kind === 'challenge' ? outcome.url : null,
    challengeSeconds: session.challengeSeconds,
    card: card ? keyedHash(apiKeyPepper, 'card', card) : null,
  };
}
