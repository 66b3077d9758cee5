/** Rail calls about an off-session charge. */
import { type Answer, storeAnswerDetails } from '../../db/payment/rail-calls.ts';
import { beginChargeStored, isChargeStopped } from '../../db/payment/stored-charge.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { mandateOf } from '../../platform/secrets/places.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { lookUpAttempt } from './look-up-attempt.ts';
import { answered, askBeforeSending, notSent, sendingOf, withoutDetails } from './rail-attempt.ts';

/** Like `sendOnce`, for an off-session charge: sends the mandate from the claim, and ends a challenge. */
export async function sendStoredOnce(
  deps: ActivityDeps,
  attemptId: string,
): Promise<Answer<AttemptOutcome> | null> {
  const answer = await sendStored(deps, attemptId);
  return answer && endIfChallenged(deps, answer);
}

async function sendStored(deps: ActivityDeps, attemptId: string): Promise<Answer<AttemptOutcome> | null> {
  const timer = startCallTimer();
  const begun = await beginChargeStored(deps.pool, attemptId, deps.session.railCallTimeoutSeconds);
  if (!begun) return null;
  const sending = sendingOf(deps, attemptId, begun, timer.signalAfter(begun.ms_left));
  const { rail, call } = sending;
  const earlier = await askBeforeSending(deps, sending, isChargeStopped);
  if (earlier) return earlier;
  // Without a mandate, only the customer can pay, so nothing is sent.
  if (!begun.mandate) return withoutDetails(attemptId, DECLINED);
  const mandate = deps.secretBox.open(begun.mandate, mandateOf(begun.customer_id));
  const request = { ...call, idempotencyKey: `${attemptId}:charge`, mandate, at: begun.at };
  return isOver(call.signal) ? notSent(attemptId) : answered(deps, sending, await rail.chargeStored(request));
}

/** Like `lookUpAttempt`, for an off-session charge: ends a challenge, which no buyer could pass. */
export async function lookUpStored(deps: ActivityDeps, attemptId: string): Promise<Answer<AttemptOutcome>> {
  return endIfChallenged(deps, await lookUpAttempt(deps, attemptId, 'nothing'));
}

/**
 * Ends the attempt of an off-session charge if it is challenged, because no buyer can pass the challenge. It counts as
 * declined with `authentication_required`.
 */
async function endIfChallenged(
  deps: ActivityDeps,
  answer: Answer<AttemptOutcome>,
): Promise<Answer<AttemptOutcome>> {
  const { attemptId, outcome, details } = answer;
  if (outcome.kind !== 'challenge') return answer;
  // Store the details before the look-up, because its cancel needs the rail's id.
  if (details) await storeAnswerDetails(deps.pool, attemptId, details);
  const ended = await lookUpAttempt(deps, attemptId, 'open');
  return ended.outcome.kind === 'cancelled' ? { ...ended, outcome: DECLINED } : ended;
}

const DECLINED: AttemptOutcome = { kind: 'declined', code: 'authentication_required', retryable: false };
