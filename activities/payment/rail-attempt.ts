/**
 * Rail calls about one attempt. Each returns the kind, with a decline's code or the reason of an unknown
 * outcome, and the details (references, brand, challenge URL, mandate). Details are recorded with the kind
 * and never enter a history.
 */
import { keepAnswer, waitForUsedName } from '../../db/payment/payment-at-rail.ts';
import { type BegunCall, beginAuthorize, rememberAtRail } from '../../db/payment/rail-calls.ts';
import type { BegunStoredCharge } from '../../db/payment/stored-charge.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import { openPageToken } from '../../platform/secrets/page-token.ts';
import { methodTokenOf } from '../../platform/secrets/places.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { Rail } from '../../rail/rail.ts';
import type { ChargeStoredRequest } from '../../rail/requests.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import type { Answer } from './attempt.ts';
import { lookUpAttempt } from './look-up-attempt.ts';
import { presentNewsOfCall } from './news-of-call.ts';
import { type SaidOfPayment, saidBy, withoutDetails } from './said-by-rail.ts';

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

/**
 * Looks the attempt up before its first send: a lost copy of the database may have sent it (rule 28). Null
 * allows the send; `unknown` forbids it while the account is active.
 */
export async function askBeforeSending(
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
export async function send(
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

/** Stores a final answer that could not be recorded. */
export async function keepFinal(
  { pool }: ActivityDeps,
  { attemptId, outcome, details }: Answer<AttemptOutcome>,
): Promise<void> {
  if (isFinalOutcome(outcome)) await keepAnswer(pool, attemptId, outcome, details);
}
