/** Asks the rail about an attempt; never sends anything that could move money. */
import type { Answer } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { ActivityDeps } from '../core/deps.ts';
import type { EndAtRail } from './attempt.ts';
import { type AttemptAtRail, attemptAtRail, callSignal } from './attempt-at-rail.ts';
import { withDetails, withoutDetails } from './rail-attempt.ts';

/**
 * Looks the attempt up; never moves money. If asked to, it cancels a challenge or any open attempt at the rail, and the
 * rail's answer to the cancel counts. If the rail does not cancel a challenge, the outcome remains a challenge.
 */
export async function lookUpAttempt(
  deps: ActivityDeps,
  attemptId: string,
  end: EndAtRail,
): Promise<Answer<AttemptOutcome>> {
  const attempt = await attemptAtRail(deps, attemptId);
  if (!attempt) return withoutDetails(attemptId, { kind: 'unknown', reason: 'row_not_found' });
  const kept = attempt.row.kept_answer;
  if (kept) return withoutDetails(attemptId, kept);
  const { rail, call, row } = attempt;
  const answer = (outcome: RailOutcome) => withDetails(deps, attemptId, row.customer_id, outcome);
  const outcome = await rail.lookup({ ...call, signal: callSignal(deps) });
  if (outcome.kind === 'notFound') return whenNotFound(deps, attempt);
  if (end === 'open' && OPEN_AT_RAIL.includes(outcome.kind)) return answer(await cancel(deps, attempt));
  if (end !== 'challenge' || outcome.kind !== 'challenge') return answer(outcome);
  const ended = await cancel(deps, attempt);
  const isAnswered = ended.kind !== 'unknown' && ended.kind !== 'notFound';
  return answer(isAnswered ? ended : outcome);
}

const OPEN_AT_RAIL: readonly RailOutcome['kind'][] = ['challenge', 'pending', 'unknown'];

/**
 * Treats `notFound` as `unknown`, not as failed (rule 4). A binding cancel makes it final: for any attempt if the rail
 * declares so, otherwise only for one with an id at the rail. Without that id, `notFound` is final once the call's
 * deadline and the rail's lag have passed; if the rail knows the attempt by then, the attempt is cancelled.
 */
async function whenNotFound(deps: ActivityDeps, attempt: AttemptAtRail): Promise<Answer<AttemptOutcome>> {
  const { rail, call, row, pastDeadline } = attempt;
  if (rail.trust.cancelHolds || call.railReference !== null || pastDeadline) {
    const outcome = await cancel(deps, attempt);
    if (outcome.kind !== 'notFound') return withDetails(deps, call.reference, row.customer_id, outcome);
  }
  return withoutDetails(call.reference, { kind: pastDeadline ? 'cancelled' : 'notFound' });
}

function cancel(deps: ActivityDeps, { rail, call }: AttemptAtRail): Promise<RailOutcome> {
  const idempotencyKey = `${call.reference}:cancel`;
  return rail.cancel({ ...call, idempotencyKey, signal: callSignal(deps) });
}
