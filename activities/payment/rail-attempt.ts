/**
 * Rail calls about one attempt. Each returns the kind alone; details (references, brand, challenge URL, mandate) go to
 * the payment's row, because Temporal's history keeps results.
 */
import {
  type BegunCall,
  type BegunStoredCharge,
  beginAuthorize,
  beginChargeStored,
  customerOfPayment,
  type PaymentAtRail,
  paymentAtRailOf,
  rememberAtRail,
  storeAnswerDetails,
  waitForUsedName,
} from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/attempt.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { ChargeStoredRequest, Rail, RailAccount, RailOutcome } from '../../rail/rail.ts';
import { openPageToken } from '../../secrets/page-token.ts';
import { mandateOf, methodTokenOf } from '../../secrets/places.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';

type CommonCall = Omit<ChargeStoredRequest, 'idempotencyKey' | 'mandate'>;

interface AttemptAtRail {
  readonly rail: Rail;
  readonly call: {
    readonly account: RailAccount;
    readonly reference: string;
    readonly railReference: string | null;
    readonly railCustomer: string | null;
    readonly begunAt: string;
  };
  /** The call's deadline and the rail's lag have passed: an attempt still unknown to the rail was never sent. */
  readonly pastDeadline: boolean;
}

export function createRailAttemptActivities(deps: ActivityDeps) {
  const { pool, secretBox, checkout } = deps;

  /**
   * Sends the attempt once: the mark is stored before the call, and a second run that finds it looks up instead (rule
   * 3). The socket is aborted at the stored deadline.
   */
  async function chargeAttempt(paymentId: string): Promise<AttemptOutcome> {
    const timer = startCallTimer();
    const begun = await beginAuthorize(pool, paymentId, checkout.railCallTimeoutSeconds);
    if (!begun) return lookUpAttempt(paymentId);
    const signal = timer.signalAfter(begun.ms_left);
    if (begun.named_long_ago) {
      const earlier = await askBeforeSending(paymentId, begun, signal);
      if (earlier) return earlier;
    }
    const methodToken = secretBox.open(begun.method_token, methodTokenOf(begun.claim_id));
    return send(paymentId, begun, signal, (rail, call) =>
      rail.authorize({
        ...call,
        idempotencyKey: `${paymentId}:authorize`,
        methodToken,
        saveMandate: begun.save_mandate,
        challengeReturnUrl: deps.challengeReturnUrl(openPageToken(secretBox, begun)),
      }),
    );
  }

  /** Sends an off-session attempt, with the mandate that it was claimed with. */
  async function chargeStored(paymentId: string): Promise<AttemptOutcome> {
    const timer = startCallTimer();
    const begun = await beginChargeStored(pool, paymentId, checkout.railCallTimeoutSeconds);
    if (!begun) return lookUpAttempt(paymentId);
    const signal = timer.signalAfter(begun.ms_left);
    const earlier = await askBeforeSending(paymentId, begun, signal);
    if (earlier) return earlier;
    // Without a mandate only the customer can help. Nothing was sent.
    if (!begun.mandate) return { kind: 'declined', code: 'authentication_required', retryable: false };
    const mandate = secretBox.open(begun.mandate, mandateOf(begun.customer_id));
    return send(paymentId, begun, signal, (rail, call) =>
      rail.chargeStored({ ...call, idempotencyKey: `${paymentId}:charge`, mandate }),
    );
  }

  /**
   * Looks the attempt up before its first send: a lost copy of the database may have sent it (rule 28). Null allows the
   * send; `unknown` forbids it while the account is active.
   */
  async function askBeforeSending(
    paymentId: string,
    begun: BegunCall | BegunStoredCharge,
    signal: AbortSignal,
  ): Promise<AttemptOutcome | null> {
    const { rail, account } = openRailAccount(deps, begun);
    const call = { account, reference: paymentId, railReference: null, railCustomer: null, begunAt: null };
    const outcome = await whileHeartbeating(() => rail.lookup({ ...call, signal }));
    // A disabled account sends nothing: its attempt ends without waiting for a look-up.
    const nothingToAdopt =
      outcome.kind === 'notFound' || (outcome.kind === 'unknown' && account.status === 'disabled');
    return nothingToAdopt ? null : keep(paymentId, outcome);
  }

  /** One call that may move money, aborted at its stored deadline. */
  async function send(
    paymentId: string,
    begun: BegunCall | BegunStoredCharge,
    signal: AbortSignal,
    call: (rail: Rail, common: CommonCall) => Promise<RailOutcome>,
  ): Promise<AttemptOutcome> {
    const { rail, account } = openRailAccount(deps, begun);
    if (isOver(signal)) return { kind: 'unknown', reason: 'not_sent' };
    const outcome = await whileHeartbeating(() =>
      call(rail, {
        account,
        reference: paymentId,
        signal,
        remember: (id) => rememberAtRail(pool, paymentId, id),
        amountCents: begun.amount,
        currency: begun.currency,
      }),
    );
    if (outcome.kind !== 'unknown' || outcome.reason !== 'used_before') return keep(paymentId, outcome);
    // The attempt was sent before under this reference: adopt its outcome.
    await waitForUsedName(pool, paymentId, rail.trust.searchLagMs);
    return lookUpAttempt(paymentId);
  }

  /** Looks the attempt up; never sends anything that could move money. */
  async function lookUpAttempt(paymentId: string): Promise<AttemptOutcome> {
    const attempt = await atRail(paymentId);
    if (!attempt) return ROW_GONE;
    const outcome = await ask(attempt);
    return outcome.kind === 'notFound' ? whenNotFound(attempt) : keep(paymentId, outcome);
  }

  /** Looks the attempt up and cancels it if open; the rail's answer decides. */
  async function endAttempt(paymentId: string): Promise<AttemptOutcome> {
    const attempt = await atRail(paymentId);
    if (!attempt) return ROW_GONE;
    const outcome = await ask(attempt);
    if (outcome.kind === 'notFound') return whenNotFound(attempt);
    const open = outcome.kind === 'challenge' || outcome.kind === 'pending' || outcome.kind === 'unknown';
    return keep(paymentId, open ? await cancel(attempt) : outcome);
  }

  /**
   * `notFound` is `unknown`, not failed (rule 4). A binding cancel makes it final: always where the rail declares that,
   * elsewhere only for an attempt with an id at the rail. Otherwise it is final once the call's deadline and the rail's
   * lag have passed; an attempt that the rail knows by then is cancelled all the same.
   */
  async function whenNotFound(attempt: AttemptAtRail): Promise<AttemptOutcome> {
    const { rail, call, pastDeadline } = attempt;
    if (rail.trust.cancelHolds || call.railReference !== null || pastDeadline) {
      const outcome = await cancel(attempt);
      if (outcome.kind !== 'notFound') return keep(call.reference, outcome);
    }
    return pastDeadline ? { kind: 'cancelled' } : { kind: 'notFound' };
  }

  function ask({ rail, call }: AttemptAtRail): Promise<RailOutcome> {
    return whileHeartbeating(() => rail.lookup({ ...call, signal: callSignal() }));
  }

  function cancel({ rail, call }: AttemptAtRail): Promise<RailOutcome> {
    const idempotencyKey = `${call.reference}:cancel`;
    return whileHeartbeating(() => rail.cancel({ ...call, idempotencyKey, signal: callSignal() }));
  }

  function callSignal(): AbortSignal {
    return AbortSignal.timeout(checkout.railCallTimeoutSeconds * 1_000);
  }

  async function atRail(paymentId: string): Promise<AttemptAtRail | null> {
    const row = await paymentAtRailOf(pool, paymentId);
    if (!row) return null;
    const { rail, account } = openRailAccount(deps, row);
    const call = { account, reference: paymentId, ...idsOf(row), begunAt: row.begun_at };
    return { rail, call, pastDeadline: row.ms_past_deadline >= rail.trust.lookupLagMs };
  }

  async function keep(paymentId: string, outcome: RailOutcome): Promise<AttemptOutcome> {
    if ('railReference' in outcome) {
      await storeAnswerDetails(pool, paymentId, {
        railOrderId: outcome.railReference,
        method: 'method' in outcome ? outcome.method : null,
        mandate:
          outcome.kind === 'approved' && outcome.mandate
            ? await sealMandate(paymentId, outcome.mandate)
            : null,
        challengeUrl: outcome.kind === 'challenge' ? outcome.url : null,
        challengeSeconds: checkout.challengeSeconds,
      });
    }
    return slim(outcome);
  }

  async function sealMandate(paymentId: string, mandate: string): Promise<Buffer> {
    return secretBox.seal(mandate, mandateOf(await customerOfPayment(pool, paymentId)));
  }

  return { chargeAttempt, chargeStored, lookUpAttempt, endAttempt };
}

const ROW_GONE: AttemptOutcome = { kind: 'unknown', reason: 'row_gone' };

/** The attempt's and customer's ids at the processor, if stored. */
export function idsOf({ rail_order_id: railReference, rail_customer_id: railCustomer }: PaymentAtRail) {
  return { railReference, railCustomer };
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
