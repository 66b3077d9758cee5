/**
 * Rail calls about one attempt. Each returns the kind, with a decline's code or the reason of an unknown
 * outcome, and the details (references, brand, challenge URL, mandate). Details are recorded with the kind
 * and never enter a history.
 */
import {
  type BegunCall,
  type BegunStoredCharge,
  beginAuthorize,
  beginChargeStored,
  keepAnswer,
  rememberAtRail,
  storeAnswerDetails,
  waitForUsedName,
} from '../../db/payment/rail-calls.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import type { EndAtRail } from '../../domain/payment/attempt-step.ts';
import { openPageToken } from '../../platform/secrets/page-token.ts';
import { mandateOf, methodTokenOf } from '../../platform/secrets/places.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { Rail } from '../../rail/rail.ts';
import type { ChargeStoredRequest } from '../../rail/requests.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import type { Answer, Said } from './attempt.ts';
import {
  type AttemptAtRail,
  attemptAtRail,
  callSignal,
  detailsOf,
  slim,
  UNKNOWN_ROW_GONE,
} from './attempt-at-rail.ts';
import { presentNewsOfCall } from './news-of-call.ts';

export type SaidOfPayment = Said<AttemptOutcome>;

type CommonCall = Omit<ChargeStoredRequest, 'idempotencyKey' | 'mandate' | 'at'>;

/**
 * Sends the attempt once: the mark is stored before the call, and a second run that finds it looks up instead (rule
 * 3). The socket is aborted at the stored deadline.
 */
export async function sendOnce(deps: ActivityDeps, paymentId: string): Promise<SaidOfPayment> {
  const timer = startCallTimer();
  const begun = await beginAuthorize(deps.pool, paymentId, deps.session.railCallTimeoutSeconds);
  if (!begun) return lookUpAttempt(deps, paymentId);
  const signal = timer.signalAfter(begun.ms_left);
  if (begun.named_long_ago) {
    const earlier = await askBeforeSending(deps, paymentId, begun, signal);
    if (earlier) return earlier;
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

/** Same as `sendOnce`, but off-session: sends the mandate from the claim, and ends a challenge. */
export async function sendStoredOnce(deps: ActivityDeps, paymentId: string): Promise<SaidOfPayment> {
  return endIfChallenged(deps, paymentId, await sendStored(deps, paymentId));
}

async function sendStored(deps: ActivityDeps, paymentId: string): Promise<SaidOfPayment> {
  const timer = startCallTimer();
  const begun = await beginChargeStored(deps.pool, paymentId, deps.session.railCallTimeoutSeconds);
  if (!begun) return lookUpAttempt(deps, paymentId);
  const signal = timer.signalAfter(begun.ms_left);
  const earlier = await askBeforeSending(deps, paymentId, begun, signal);
  if (earlier) return earlier;
  // Without a mandate, only the customer can pay. Nothing was sent.
  if (!begun.mandate)
    return withoutDetails({ kind: 'declined', code: 'authentication_required', retryable: false });
  const mandate = deps.secretBox.open(begun.mandate, mandateOf(begun.customer_id));
  return send(deps, paymentId, begun, signal, (rail, call) =>
    rail.chargeStored({ ...call, idempotencyKey: `${paymentId}:charge`, mandate, at: begun.at }),
  );
}

/**
 * Looks the attempt up before its first send: a lost copy of the database may have sent it (rule 28). Null
 * allows the send; `unknown` forbids it while the account is active.
 */
async function askBeforeSending(
  deps: ActivityDeps,
  paymentId: string,
  begun: BegunCall | BegunStoredCharge,
  signal: AbortSignal,
): Promise<SaidOfPayment | null> {
  const { rail, account } = openRailAccount(deps, begun);
  const unnamed = { railReference: null, railCustomer: null, begunAt: null };
  const asked = { amountCents: begun.amount, currency: begun.currency };
  const call = { account, reference: paymentId, ...unnamed, ...asked };
  const outcome = await whileHeartbeating(() => rail.lookup({ ...call, signal }));
  // A disabled account sends nothing: its attempt ends without waiting for a look-up.
  const nothingToAdopt =
    outcome.kind === 'notFound' ||
    (outcome.kind === 'unknown' && outcome.reason !== 'other_amount' && account.status === 'disabled');
  return nothingToAdopt ? null : saidBy(deps, paymentId, outcome);
}

/** One call that may move money, aborted at its stored deadline. */
async function send(
  deps: ActivityDeps,
  paymentId: string,
  begun: BegunCall | BegunStoredCharge,
  signal: AbortSignal,
  call: (rail: Rail, common: CommonCall) => Promise<RailOutcome>,
): Promise<SaidOfPayment> {
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
    const said = await saidBy(deps, paymentId, outcome);
    await presentNewsOfCall(deps, paymentId, said.outcome);
    return said;
  }
  // The attempt was sent before under this reference: adopt its outcome.
  await waitForUsedName(deps.pool, paymentId, rail.trust.searchLagMs);
  return lookUpAttempt(deps, paymentId);
}

/**
 * Looks the attempt up; never moves money. If asked to, it cancels a challenge or any open attempt at the
 * rail, and the rail's answer to the cancel counts. A challenge that the rail does not end stays a challenge.
 */
export async function lookUpAttempt(
  deps: ActivityDeps,
  paymentId: string,
  end: EndAtRail = 'nothing',
): Promise<SaidOfPayment> {
  const attempt = await attemptAtRail(deps, paymentId);
  if (!attempt) return withoutDetails(UNKNOWN_ROW_GONE);
  const kept = attempt.row.kept_answer;
  if (kept) return withoutDetails(kept);
  const outcome = await ask(deps, attempt);
  if (outcome.kind === 'notFound') return whenNotFound(deps, attempt);
  if (end === 'open' && OPEN_AT_RAIL.includes(outcome.kind))
    return saidBy(deps, paymentId, await cancel(deps, attempt));
  if (end !== 'challenge' || outcome.kind !== 'challenge') return saidBy(deps, paymentId, outcome);
  const ended = await cancel(deps, attempt);
  const isAnswered = ended.kind !== 'unknown' && ended.kind !== 'notFound';
  return saidBy(deps, paymentId, isAnswered ? ended : outcome);
}

const OPEN_AT_RAIL: readonly RailOutcome['kind'][] = ['challenge', 'pending', 'unknown'];

/** Same as `lookUpAttempt`, for an off-session charge. */
export async function lookUpStored(deps: ActivityDeps, paymentId: string): Promise<SaidOfPayment> {
  return endIfChallenged(deps, paymentId, await lookUpAttempt(deps, paymentId));
}

/**
 * An off-session charge has no buyer to pass a challenge: ends the attempt, which counts as declined with
 * `authentication_required`.
 */
async function endIfChallenged(
  deps: ActivityDeps,
  paymentId: string,
  said: SaidOfPayment,
): Promise<SaidOfPayment> {
  if (said.outcome.kind !== 'challenge') return said;
  // A cancel needs the rail's id.
  if (said.details) await storeAnswerDetails(deps.pool, paymentId, said.details);
  const { outcome, details } = await lookUpAttempt(deps, paymentId, 'open');
  if (outcome.kind !== 'cancelled') return { outcome, details };
  return { outcome: { kind: 'declined', code: 'authentication_required', retryable: false }, details };
}

/**
 * Treats `notFound` as `unknown`, not as failed (rule 4). A binding cancel makes it final: always if the rail
 * declares that, otherwise only for an attempt with an id at the rail. Without one it is final once the
 * call's deadline and the rail's lag have passed; an attempt that the rail knows by then is cancelled anyway.
 */
async function whenNotFound(deps: ActivityDeps, attempt: AttemptAtRail): Promise<SaidOfPayment> {
  const { rail, call, pastDeadline } = attempt;
  if (rail.trust.cancelHolds || call.railReference !== null || pastDeadline) {
    const outcome = await cancel(deps, attempt);
    if (outcome.kind !== 'notFound') return saidBy(deps, call.reference, outcome);
  }
  return withoutDetails({ kind: pastDeadline ? 'cancelled' : 'notFound' });
}

function ask(deps: ActivityDeps, { rail, call }: AttemptAtRail): Promise<RailOutcome> {
  return whileHeartbeating(() => rail.lookup({ ...call, signal: callSignal(deps) }));
}

function cancel(deps: ActivityDeps, { rail, call }: AttemptAtRail): Promise<RailOutcome> {
  const idempotencyKey = `${call.reference}:cancel`;
  return whileHeartbeating(() => rail.cancel({ ...call, idempotencyKey, signal: callSignal(deps) }));
}

function withoutDetails(outcome: AttemptOutcome): SaidOfPayment {
  return { outcome, details: null };
}

async function saidBy(deps: ActivityDeps, paymentId: string, outcome: RailOutcome): Promise<SaidOfPayment> {
  return { outcome: slim(outcome), details: await detailsOf(deps, paymentId, outcome) };
}

/** Stores a final answer that could not be recorded. */
export async function keepFinal(
  { pool }: ActivityDeps,
  { attemptId, outcome, details }: Answer<AttemptOutcome>,
): Promise<void> {
  if (isFinalOutcome(outcome)) await keepAnswer(pool, attemptId, outcome, details);
}
