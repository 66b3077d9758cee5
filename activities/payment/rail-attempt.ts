/**
 * The calls to the rail about one attempt. Each answers with the kind only; details (references, brand,
 * challenge URL, mandate) go to the payment's row, because answers are kept in Temporal's history.
 */
import {
  type BegunCall,
  type BegunStoredCharge,
  beginAuthorize,
  beginChargeStored,
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
  /** The call's deadline and the rail's lag are over: what it has not heard of by now was never sent. */
  readonly pastDeadline: boolean;
}

export function createRailAttemptActivities(deps: ActivityDeps) {
  const { pool, secretBox, checkout } = deps;

  /**
   * Sends the attempt to the rail, once: the mark is stored before the call, and whoever finds it asks the
   * rail instead of calling (rule 3). The socket is aborted at the stored deadline.
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
    const methodToken = secretBox.open(begun.method_token);
    return send(paymentId, begun, signal, (rail, call) =>
      rail.authorize({
        ...call,
        idempotencyKey: `${paymentId}:authorize`,
        methodToken,
        saveMandate: begun.save_mandate,
        challengeReturnUrl: deps.challengeReturnUrl(begun.session_id),
      }),
    );
  }

  /** The same without the buyer, with the mandate that the payment was claimed with. */
  async function chargeStored(paymentId: string): Promise<AttemptOutcome> {
    const timer = startCallTimer();
    const begun = await beginChargeStored(pool, paymentId, checkout.railCallTimeoutSeconds);
    if (!begun) return lookUpAttempt(paymentId);
    const signal = timer.signalAfter(begun.ms_left);
    const earlier = await askBeforeSending(paymentId, begun, signal);
    if (earlier) return earlier;
    // Nothing to charge with: only its customer can help. Nothing was sent.
    if (!begun.mandate) return { kind: 'declined', code: 'authentication_required', retryable: false };
    const mandate = secretBox.open(begun.mandate);
    return send(paymentId, begun, signal, (rail, call) =>
      rail.chargeStored({ ...call, idempotencyKey: `${paymentId}:charge`, mandate }),
    );
  }

  /**
   * Asks for this attempt's outcome before its first send: a lost copy of the database may have sent it (rule 28).
   * Null when nothing prevents the send; with an active account `unknown` does.
   */
  async function askBeforeSending(
    paymentId: string,
    begun: BegunCall | BegunStoredCharge,
    signal: AbortSignal,
  ): Promise<AttemptOutcome | null> {
    const { rail, account } = openRailAccount(deps, begun);
    const call = { account, reference: paymentId, railReference: null, railCustomer: null, begunAt: null };
    const outcome = await whileHeartbeating(() => rail.lookup({ ...call, signal }));
    // Through a disabled account nothing is sent: its attempt ends without waiting for the rail's answer.
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
    // The earlier send under this reference is the attempt: adopt its outcome.
    await waitForUsedName(pool, paymentId, rail.trust.searchLagMs);
    return lookUpAttempt(paymentId);
  }

  /** Asks the rail what became of the attempt; never sends anything that could move money. */
  async function lookUpAttempt(paymentId: string): Promise<AttemptOutcome> {
    const attempt = await atRail(paymentId);
    const outcome = await ask(attempt);
    return outcome.kind === 'notFound' ? whenNotFound(attempt) : keep(paymentId, outcome);
  }

  /** Asks, and cancels what is still open: the rail's answer decides, whichever it is. */
  async function endAttempt(paymentId: string): Promise<AttemptOutcome> {
    const attempt = await atRail(paymentId);
    const outcome = await ask(attempt);
    if (outcome.kind === 'notFound') return whenNotFound(attempt);
    const open = outcome.kind === 'challenge' || outcome.kind === 'pending' || outcome.kind === 'unknown';
    return keep(paymentId, open ? await cancel(attempt) : outcome);
  }

  /**
   * `notFound` is `unknown`, not no (rule 4). It becomes final by a cancel that holds: always where the rail
   * declares that, elsewhere of an attempt that it knows by an id of its own. Else once the call's deadline
   * and the rail's lag are over; what it has heard of by then is cancelled all the same.
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

  async function atRail(paymentId: string): Promise<AttemptAtRail> {
    const row = await paymentAtRailOf(pool, paymentId);
    const { rail, account } = openRailAccount(deps, row);
    const call = { account, reference: paymentId, ...idsOf(row), begunAt: row.begun_at };
    return { rail, call, pastDeadline: row.ms_past_deadline >= rail.trust.lookupLagMs };
  }

  async function keep(paymentId: string, outcome: RailOutcome): Promise<AttemptOutcome> {
    if ('railReference' in outcome) {
      await storeAnswerDetails(pool, paymentId, {
        railOrderId: outcome.railReference,
        method: 'method' in outcome ? outcome.method : null,
        mandate: outcome.kind === 'approved' && outcome.mandate ? secretBox.seal(outcome.mandate) : null,
        challengeUrl: outcome.kind === 'challenge' ? outcome.url : null,
        challengeSeconds: checkout.challengeSeconds,
      });
    }
    return slim(outcome);
  }

  return { chargeAttempt, chargeStored, lookUpAttempt, endAttempt };
}

/** What the processor calls the attempt and its customer, as far as it was kept. */
export function idsOf({ rail_order_id: railReference, rail_customer_id: railCustomer }: PaymentAtRail) {
  return { railReference, railCustomer };
}

/** What may stand in a history. */
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
