/** Rail calls about an off-session charge. */
import { storeAnswerDetails } from '../../db/payment/rail-calls.ts';
import { beginChargeStored, isChargeStopped } from '../../db/payment/stored-charge.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { mandateOf } from '../../platform/secrets/places.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withoutDetails } from './answer-details.ts';
import type { DetailedOutcome } from './attempt.ts';
import { lookUpAttempt } from './look-up-attempt.ts';
import { answered, askBeforeSending, callOf, NOT_SENT } from './rail-attempt.ts';

/** Same as `sendOnce`, but off-session: sends the mandate from the claim, and ends a challenge. */
export async function sendStoredOnce(
  deps: ActivityDeps,
  paymentId: string,
): Promise<DetailedOutcome<AttemptOutcome> | null> {
  const detailed = await sendStored(deps, paymentId);
  return detailed && endIfChallenged(deps, paymentId, detailed);
}

async function sendStored(
  deps: ActivityDeps,
  paymentId: string,
): Promise<DetailedOutcome<AttemptOutcome> | null> {
  const timer = startCallTimer();
  const begun = await beginChargeStored(deps.pool, paymentId, deps.session.railCallTimeoutSeconds);
  if (!begun) return null;
  const { rail, call } = callOf(deps, paymentId, begun, timer.signalAfter(begun.ms_left));
  const earlier = await askBeforeSending(deps, rail, call, isChargeStopped);
  if (earlier) return earlier;
  // Without a mandate, only the customer can pay. Nothing was sent.
  if (!begun.mandate)
    return withoutDetails({ kind: 'declined', code: 'authentication_required', retryable: false });
  const mandate = deps.secretBox.open(begun.mandate, mandateOf(begun.customer_id));
  const request = { ...call, idempotencyKey: `${paymentId}:charge`, mandate, at: begun.at };
  return isOver(call.signal) ? NOT_SENT : answered(deps, rail, paymentId, await rail.chargeStored(request));
}

/** Same as `lookUpAttempt`, for an off-session charge: ends a challenge, which no buyer could pass. */
export async function lookUpStored(
  deps: ActivityDeps,
  paymentId: string,
): Promise<DetailedOutcome<AttemptOutcome>> {
  return endIfChallenged(deps, paymentId, await lookUpAttempt(deps, paymentId, 'nothing'));
}

/**
 * An off-session charge has no buyer to pass a challenge: ends the attempt, which counts as declined with
 * `authentication_required`.
 */
async function endIfChallenged(
  deps: ActivityDeps,
  paymentId: string,
  detailed: DetailedOutcome<AttemptOutcome>,
): Promise<DetailedOutcome<AttemptOutcome>> {
  if (detailed.outcome.kind !== 'challenge') return detailed;
  // Stored before the look-up, because its cancel needs the rail's id.
  if (detailed.details) await storeAnswerDetails(deps.pool, paymentId, detailed.details);
  const { outcome, details } = await lookUpAttempt(deps, paymentId, 'open');
  if (outcome.kind !== 'cancelled') return { outcome, details };
  return { outcome: { kind: 'declined', code: 'authentication_required', retryable: false }, details };
}
