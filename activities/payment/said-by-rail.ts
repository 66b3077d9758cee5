/** The parts of the rail's answer that a history and the payment's row keep. */
import { type AnswerDetails, customerOfPayment } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { keyedHash } from '../../platform/secrets/keyed-hash.ts';
import { mandateOf } from '../../platform/secrets/places.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { ActivityDeps } from '../core/deps.ts';
import type { Said } from './attempt.ts';

export type SaidOfPayment = Said<AttemptOutcome>;

export async function saidBy(
  deps: ActivityDeps,
  paymentId: string,
  outcome: RailOutcome,
): Promise<SaidOfPayment> {
  return { outcome: slim(outcome), details: await detailsOf(deps, paymentId, outcome) };
}

export function withoutDetails(outcome: AttemptOutcome): SaidOfPayment {
  return { outcome, details: null };
}

/** The part that may enter a history. */
export function slim(outcome: RailOutcome): AttemptOutcome {
  switch (outcome.kind) {
    case 'declined':
      return { kind: 'declined', code: outcome.code, retryable: outcome.retryable };
    case 'unknown':
      return { kind: 'unknown', reason: outcome.reason };
    default:
      return { kind: outcome.kind };
  }
}

/** The part that goes to the payment's row, with the mandate encrypted; null when the answer has none. */
export async function detailsOf(
  deps: ActivityDeps,
  paymentId: string,
  outcome: RailOutcome,
): Promise<AnswerDetails | null> {
  if (!('railReference' in outcome)) return null;
  return {
    railReference: outcome.railReference,
    method: 'method' in outcome ? outcome.method : null,
    mandate:
      outcome.kind === 'approved' && outcome.mandate
        ? await sealMandate(deps, paymentId, outcome.mandate)
        : null,
    challengeUrl: outcome.kind === 'challenge' ? outcome.url : null,
    challengeSeconds: deps.session.challengeSeconds,
    card: outcome.kind === 'declined' ? hashOfCard(deps, outcome.cardFingerprint) : null,
  };
}

function hashOfCard({ apiKeyPepper }: ActivityDeps, fingerprint: string | null | undefined): Buffer | null {
  return fingerprint ? keyedHash(apiKeyPepper, 'card', fingerprint) : null;
}

async function sealMandate(deps: ActivityDeps, paymentId: string, mandate: string): Promise<Buffer> {
  return deps.secretBox.seal(mandate, mandateOf(await customerOfPayment(deps.pool, paymentId)));
}
