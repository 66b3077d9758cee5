/**
 * Rail calls about one attempt. Each returns the kind, with a decline's code or an unknown outcome's reason; details
 * (references, brand, challenge URL, mandate) go to the payment's row, because Temporal's history keeps results.
 */
import {
  type BegunCall,
  type BegunStoredCharge,
  beginAuthorize,
  beginChargeStored,
  neverSendStopped,
  rememberAtRail,
  storeAnswerDetails,
  waitForUsedName,
} from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { Rail } from '../../rail/rail.ts';
import type { ChargeStoredRequest } from '../../rail/requests.ts';
import { openPageToken } from '../../secrets/page-token.ts';
import { mandateOf, methodTokenOf } from '../../secrets/places.ts';
import type { LookUpOptions } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import {
  type AttemptAtRail,
  attemptAtRail,
  callSignal,
  detailsOf,
  slim,
  UNKNOWN_ROW_GONE,
} from './attempt-at-rail.ts';
import { type Answered, createChargeActivities } from './charge-within-task.ts';
import { presentNewsOfCall } from './news-of-call.ts';

type CommonCall = Omit<ChargeStoredRequest, 'idempotencyKey' | 'mandate' | 'at'>;

/**
 * Sends the attempt once: the mark is stored before the call, and a second run that finds it looks up instead (rule
 * 3). The socket is aborted at the stored deadline. The caller stores the answer's details.
 */
async function sendOnce(deps: ActivityDeps, paymentId: string): Promise<Answered> {
  const timer = startCallTimer();
  const begun = await beginAuthorize(deps.pool, paymentId, deps.session.railCallTimeoutSeconds);
  if (!begun) return withoutDetails(await lookUpAttempt(deps, paymentId));
  const signal = timer.signalAfter(begun.ms_left);
  if (begun.named_long_ago || begun.uncompared) {
    const earlier = await askBeforeSending(deps, paymentId, begun, signal);
    if (earlier) return withoutDetails(earlier);
  }
  const methodToken = deps.secretBox.open(begun.method_token, methodTokenOf(begun.claim_id));
  return send(deps, paymentId, begun, signal, (rail, call) =>
    rail.authorize({
      ...call,
      idempotencyKey: `${paymentId}:authorize`,
      methodToken,
      saveMandate: begun.save_mandate,
      challengeReturnUrl: deps.challengeReturnUrl(openPageToken(deps.secretBox, begun)),
    }),
  );
}

/** Sends an off-session attempt with the mandate from its claim, as `sendOnce`. */
async function sendStoredOnce(deps: ActivityDeps, paymentId: string): Promise<Answered> {
  const timer = startCallTimer();
  const begun = await beginChargeStored(deps.pool, paymentId, deps.session.railCallTimeoutSeconds);
  if (!begun) return withoutDetails(await lookUpUnsent(deps, paymentId));
  const signal = timer.signalAfter(begun.ms_left);
  const earlier = await askBeforeSending(deps, paymentId, begun, signal);
  if (earlier) return withoutDetails(earlier);
  // Without a mandate only the customer can help. Nothing was sent.
  if (!begun.mandate)
    return withoutDetails({ kind: 'declined', code: 'authentication_required', retryable: false });
  const mandate = deps.secretBox.open(begun.mandate, mandateOf(begun.customer_id));
  return send(deps, paymentId, begun, signal, (rail, call) =>
    rail.chargeStored({ ...call, idempotencyKey: `${paymentId}:charge`, mandate, at: begun.at }),
  );
}

/**
 * Looks the attempt up before its first send: a lost copy of the database may have sent it (rule 28). Null allows the
 * send; `unknown` forbids it while the account is active.
 */
async function askBeforeSending(
  deps: ActivityDeps,
  paymentId: string,
  begun: BegunCall | BegunStoredCharge,
  signal: AbortSignal,
): Promise<AttemptOutcome | null> {
  const { rail, account } = openRailAccount(deps, begun);
  const unnamed = { railReference: null, railCustomer: null, begunAt: null };
  const asked = { amountCents: begun.amount, currency: begun.currency };
  const call = { account, reference: paymentId, ...unnamed, ...asked };
  const outcome = await whileHeartbeating(() => rail.lookup({ ...call, signal }));
  // A disabled account sends nothing: its attempt ends without waiting for a look-up, unless a lost copy may have sent it.
  const nothingToAdopt =
    outcome.kind === 'notFound' ||
    (outcome.kind === 'unknown' &&
      outcome.reason !== 'other_amount' &&
      account.status === 'disabled' &&
      !begun.uncompared);
  return nothingToAdopt ? null : storeAnswer(deps, paymentId, outcome);
}

/** One call that may move money, aborted at its stored deadline. The caller stores the answer's details. */
async function send(
  deps: ActivityDeps,
  paymentId: string,
  begun: BegunCall | BegunStoredCharge,
  signal: AbortSignal,
  call: (rail: Rail, common: CommonCall) => Promise<RailOutcome>,
): Promise<Answered> {
  const { rail, account } = openRailAccount(deps, begun);
  if (isOver(signal)) return withoutDetails({ kind: 'unknown', reason: 'not_sent' });
  const outcome = await whileHeartbeating(() =>
    call(rail, {
      account,
      reference: paymentId,
      signal,
      remember: (id) => rememberAtRail(deps.pool, paymentId, id),
      amountCents: begun.amount,
      currency: begun.currency,
    }),
  );
  if (outcome.kind !== 'unknown' || outcome.reason !== 'used_before') {
    const answered = { outcome: slim(outcome), details: await detailsOf(deps, paymentId, outcome) };
    await presentNewsOfCall(deps, paymentId, answered.outcome);
    return answered;
  }
  // The attempt was sent before under this reference: adopt its outcome.
  await waitForUsedName(deps.pool, paymentId, rail.trust.searchLagMs);
  return withoutDetails(await lookUpAttempt(deps, paymentId));
}

/** A call has begun, or the subscription of the charge has lost a dispute. */
async function lookUpUnsent(deps: ActivityDeps, paymentId: string): Promise<AttemptOutcome> {
  await neverSendStopped(deps.pool, paymentId);
  return lookUpAttempt(deps, paymentId);
}

/** Looks the attempt up; never sends anything that could move money. */
async function lookUpAttempt(
  deps: ActivityDeps,
  paymentId: string,
  options?: LookUpOptions,
): Promise<AttemptOutcome> {
  const attempt = await attemptAtRail(deps, paymentId);
  if (!attempt) return UNKNOWN_ROW_GONE;
  const outcome = await ask(deps, attempt);
  if (outcome.kind === 'challenge' && options?.endChallenge) {
    const ended = await cancel(deps, attempt);
    const isAnswered = ended.kind !== 'unknown' && ended.kind !== 'notFound';
    return storeAnswer(deps, paymentId, isAnswered ? ended : outcome);
  }
  return outcome.kind === 'notFound' ? whenNotFound(deps, attempt) : storeAnswer(deps, paymentId, outcome);
}

/** Looks the attempt up and cancels it if open; the rail's answer decides. */
async function endAttempt(deps: ActivityDeps, paymentId: string): Promise<AttemptOutcome> {
  const attempt = await attemptAtRail(deps, paymentId);
  if (!attempt) return UNKNOWN_ROW_GONE;
  const outcome = await ask(deps, attempt);
  if (outcome.kind === 'notFound') return whenNotFound(deps, attempt);
  const open = outcome.kind === 'challenge' || outcome.kind === 'pending' || outcome.kind === 'unknown';
  return storeAnswer(deps, paymentId, open ? await cancel(deps, attempt) : outcome);
}

/**
 * `notFound` is `unknown`, not failed (rule 4). A binding cancel makes it final: always where the rail declares that,
 * elsewhere only for an attempt with an id at the rail. Otherwise it is final once the call's deadline and the rail's
 * lag have passed; an attempt that the rail knows by then is cancelled all the same.
 */
async function whenNotFound(deps: ActivityDeps, attempt: AttemptAtRail): Promise<AttemptOutcome> {
  const { rail, call, pastDeadline } = attempt;
  if (rail.trust.cancelHolds || call.railReference !== null || pastDeadline) {
    const outcome = await cancel(deps, attempt);
    if (outcome.kind !== 'notFound') return storeAnswer(deps, call.reference, outcome);
  }
  return pastDeadline ? { kind: 'cancelled' } : { kind: 'notFound' };
}

function ask(deps: ActivityDeps, { rail, call }: AttemptAtRail): Promise<RailOutcome> {
  return whileHeartbeating(() => rail.lookup({ ...call, signal: callSignal(deps) }));
}

function cancel(deps: ActivityDeps, { rail, call }: AttemptAtRail): Promise<RailOutcome> {
  const idempotencyKey = `${call.reference}:cancel`;
  return whileHeartbeating(() => rail.cancel({ ...call, idempotencyKey, signal: callSignal(deps) }));
}

/** An answer whose details are stored already, or that has none. */
function withoutDetails(outcome: AttemptOutcome): Answered {
  return { outcome, details: null };
}

/** Stores the details of an answer. */
export async function storeDetails(
  { pool }: ActivityDeps,
  paymentId: string,
  { outcome, details }: Answered,
): Promise<AttemptOutcome> {
  if (details) await storeAnswerDetails(pool, paymentId, details);
  return outcome;
}

/** Stores the details of the rail's answer. @returns what a history may hold of it */
async function storeAnswer(
  deps: ActivityDeps,
  paymentId: string,
  outcome: RailOutcome,
): Promise<AttemptOutcome> {
  const details = await detailsOf(deps, paymentId, outcome);
  return storeDetails(deps, paymentId, { outcome: slim(outcome), details });
}

export function createRailAttempts(deps: ActivityDeps) {
  const store = (paymentId: string, answered: Answered) => storeDetails(deps, paymentId, answered);
  const clicks = createChargeActivities(deps, (paymentId) => sendOnce(deps, paymentId), store);
  // Apart from the clicks': a burst of renewals must not take the places of waiting buyers.
  const stored = createChargeActivities(deps, (paymentId) => sendStoredOnce(deps, paymentId), store);
  const activities = {
    chargeAttempt: clicks.chargeAttempt,
    chargeStored: stored.chargeAttempt,
    lookUpAttempt: (paymentId: string, options?: LookUpOptions) => lookUpAttempt(deps, paymentId, options),
    endAttempt: (paymentId: string) => endAttempt(deps, paymentId),
  };
  return { activities, firstAnswer: clicks.firstAnswer, firstAnswerOfStored: stored.firstAnswer };
}
