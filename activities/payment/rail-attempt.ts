/** Rail calls that charge. */
import type { Db } from '../../db/core/pool.ts';
import { storeUnrecordedAnswer, waitForUsedName } from '../../db/payment/payment-at-rail.ts';
import {
  type Answer,
  type BegunCall,
  beginAuthorize,
  isAttemptStopped,
  storeRailId,
} from '../../db/payment/rail-calls.ts';
import type { BegunStoredCharge } from '../../db/payment/stored-charge.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import { openPageToken } from '../../platform/secrets/page-token.ts';
import { methodTokenOf } from '../../platform/secrets/places.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { RailId } from '../../rail/requests.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withDetails, withoutDetails } from './answer-details.ts';
import { presentWebhooksOfCall } from './webhooks-of-call.ts';

/**
 * Sends the attempt once: the mark is stored before the call, and a second run that finds it looks up instead (rule
 * 3). The socket is aborted at the stored deadline.
 */
export async function sendOnce(
  deps: ActivityDeps,
  attemptId: string,
): Promise<Answer<AttemptOutcome> | null> {
  const timer = startCallTimer();
  const begun = await beginAuthorize(deps.pool, attemptId, deps.session.railCallTimeoutSeconds);
  if (!begun) return null;
  const sending = sendingOf(deps, attemptId, begun, timer.signalAfter(begun.ms_left));
  const { rail, call } = sending;
  if (begun.key_may_have_expired) {
    const earlier = await askBeforeSending(deps, sending, isAttemptStopped);
    if (earlier) return earlier;
  }
  const request = {
    ...call,
    idempotencyKey: `${attemptId}:authorize`,
    methodToken: deps.secretBox.open(begun.method_token, methodTokenOf(begun.claim_id)),
    quantity: begun.quantity,
    saveMandate: begun.save_mandate,
    challengeReturnUrl: deps.challengeReturnUrl(openPageToken(deps.secretBox, begun)),
  };
  return isOver(call.signal) ? notSent(attemptId) : answered(deps, sending, await rail.authorize(request));
}

export type Sending = ReturnType<typeof sendingOf>;

/** What a click's call and a stored charge's call have in common. */
export function sendingOf(
  deps: ActivityDeps,
  attemptId: string,
  begun: BegunCall | BegunStoredCharge,
  signal: AbortSignal,
) {
  const { rail, account } = openRailAccount(deps, begun);
  const call = {
    account,
    reference: attemptId,
    signal,
    storeId: (id: RailId) => storeRailId(deps.pool, attemptId, id),
    amountCents: begun.amount,
    currency: begun.currency,
  };
  return { rail, call, customerId: begun.customer_id };
}

/**
 * Looks the attempt up before its first send: a lost copy of the database may have sent it (rule 28). Null
 * allows the send; `unknown` forbids it while the account is active.
 *
 * @param isStopped checked after the look-up, which may have taken as long as a call
 */
export async function askBeforeSending(
  deps: ActivityDeps,
  { rail, call, customerId }: Sending,
  isStopped: (db: Db, attemptId: string) => Promise<boolean>,
): Promise<Answer<AttemptOutcome> | null> {
  const outcome = await rail.lookup({ ...call, railReference: null, railCustomer: null, begunAt: null });
  // A disabled account sends nothing: its attempt ends without waiting for a look-up.
  const nothingToAdopt =
    outcome.kind === 'notFound' ||
    (outcome.kind === 'unknown' && outcome.reason !== 'other_amount' && call.account.status === 'disabled');
  if (!nothingToAdopt) return withDetails(deps, call.reference, customerId, outcome);
  return (await isStopped(deps.pool, call.reference)) ? notSent(call.reference) : null;
}

/** The answer to a call that may have moved money. Null if the rail had the attempt already. */
export async function answered(
  deps: ActivityDeps,
  { rail, call: { reference: attemptId }, customerId }: Sending,
  outcome: RailOutcome,
): Promise<Answer<AttemptOutcome> | null> {
  if (outcome.kind !== 'unknown' || outcome.reason !== 'used_before') {
    const answer = withDetails(deps, attemptId, customerId, outcome);
    await presentWebhooksOfCall(deps, attemptId, answer.outcome);
    return answer;
  }
  // The attempt was sent before under this reference: its look-up adopts the outcome.
  await waitForUsedName(deps.pool, attemptId, rail.trust.searchLagMs);
  return null;
}

/** Stores a final answer that could not be recorded. */
export async function storeIfFinal(
  { pool }: ActivityDeps,
  { attemptId, outcome, details }: Answer<AttemptOutcome>,
): Promise<void> {
  if (isFinalOutcome(outcome)) await storeUnrecordedAnswer(pool, attemptId, outcome, details);
}

/** Nothing was sent, because the call's deadline had passed or the attempt was stopped. */
export function notSent(attemptId: string): Answer<AttemptOutcome> {
  return withoutDetails(attemptId, { kind: 'unknown', reason: 'not_sent' });
}
