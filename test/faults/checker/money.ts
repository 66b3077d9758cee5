/** The service and the rail agree to the cent, and no session or period is paid twice. */
import { type Facts, groupBy, type Violation } from './facts.ts';
import { paidOncePerPeriod } from './periods.ts';
import type { LedgerEntry, RailRequest } from './records.ts';
import { stoppedIsNotCharged } from './stopped.ts';

const PAID = new Set(['succeeded', 'partially_refunded', 'refunded']);

export function checkMoney(facts: Facts): Violation[] {
  return [
    ...chargedOnce(facts),
    ...paidOncePerPeriod(facts),
    ...stoppedIsNotCharged(facts),
    ...chargesAreKnown(facts),
    ...paymentsAreCharged(facts),
    ...sessionsAgree(facts),
    ...sentOnce(facts),
    ...cancelledIsNotSent(facts),
  ];
}

const isCharge = ({ operation, amount }: LedgerEntry) => operation !== 'refund' && amount > 0;

/** Each order and each attempt is charged once; an order is one session or one period, according to the service. */
function chargedOnce({ ledger, paymentById, returned }: Facts): Violation[] {
  const kept = ledger.filter(
    (entry) => isCharge(entry) && (returned.get(entry.reference) ?? 0) < entry.amount,
  );
  const byOrder = groupBy(kept, ({ reference }) => paymentById.get(reference)?.order_id ?? null);
  const twice = [...byOrder].filter(([, charges]) => charges.length > 1);
  const repeated = [...groupBy(ledger.filter(isCharge), ({ reference }) => reference)];
  return [
    ...twice.map(
      ([order, charges]): Violation => ({
        promise: 'at most one charge per session and period',
        subject: order,
        found: `${charges.length} charges: ${charges.map(({ reference }) => reference).join(', ')}`,
      }),
    ),
    ...repeated
      .filter(([, charges]) => charges.length > 1)
      .map(
        ([reference, charges]): Violation => ({
          promise: 'at most one charge per attempt',
          subject: reference,
          found: `${charges.length} entries in the ledger`,
        }),
      ),
  ];
}

/** Money taken by the rail is delivered as succeeded, returned, or listed for a person. */
function chargesAreKnown({ ledger, paymentById, returned, listed }: Facts): Violation[] {
  return ledger.filter(isCharge).flatMap(({ reference, amount, currency }) => {
    const payment = paymentById.get(reference);
    const wrong = (found: string): Violation[] => [
      { promise: 'every charge is known', subject: reference, found },
    ];
    if ((returned.get(reference) ?? 0) >= amount || listed.has(reference)) return [];
    if (!payment) return wrong('the service has no such payment');
    if (!PAID.has(payment.status)) return wrong(`charged, but the payment is ${payment.status}`);
    if (payment.amount !== amount || payment.currency !== currency)
      return wrong(`${amount} ${currency} at the rail, ${payment.amount} ${payment.currency} here`);
    return [];
  });
}

function paymentsAreCharged({ payments, taken, listed }: Facts): Violation[] {
  return payments
    .filter(({ rail, status, amount }) => rail !== null && PAID.has(status) && amount > 0)
    .filter(({ id, amount }) => taken.get(id) !== amount && !listed.has(id))
    .map(({ id, amount }) => ({
      promise: 'a succeeded payment is charged',
      subject: id,
      found: `the rail took ${taken.get(id) ?? 'nothing'} instead of ${amount}`,
    }));
}

function sessionsAgree({ sessions, payments, paymentById, taken, returned, listed }: Facts): Violation[] {
  const byOrder = groupBy(payments, ({ order_id }) => order_id);
  return sessions.flatMap(({ id, state, order_id, payment_id, amount }) => {
    const wrong = (found: string): Violation[] => [
      { promise: "a session's state matches its charge", subject: id, found },
    ];
    const attempts = order_id ? (byOrder.get(order_id) ?? []) : [];
    const charged = attempts.filter((attempt) => {
      const cents = taken.get(attempt.id);
      return cents !== undefined && (cents === 0 || (returned.get(attempt.id) ?? 0) < cents);
    });
    if (listed.has(id) || attempts.some((attempt) => listed.has(attempt.id))) return [];
    if (state === 'succeeded') {
      const payment = payment_id ? paymentById.get(payment_id) : undefined;
      if (!payment || taken.get(payment.id) !== amount)
        return wrong(`succeeded without a charge of ${amount}`);
    } else if (charged.some((attempt) => attempt.amount > 0)) return wrong(`${state} with a charge`);
    return [];
  });
}

/** The rail may record the second copy of a call after the fault that duplicated it has ended. */
const LATE_COPY_MS = 2_000;

/**
 * The sandbox rail charges a reference once, however often it is sent; the service must not rely on that. The
 * service repeats calls that the rail was too busy for. A connection that repeats its data sends a call at most twice,
 * so two calls there count as one. A restored database may lack a call that the rail does not know either: the service
 * sends it again after a look-up (rule 28).
 */
function sentOnce({ requests, faults, isLost }: Facts): Violation[] {
  const repeating = faults.filter(
    ({ kind, what }) => kind === 'a connection repeats its data' && what.endsWith(' to the rail'),
  );
  const mayBeCopy = ({ at }: RailRequest) =>
    repeating.some((fault) => at >= fault.at && Date.parse(at) <= Date.parse(fault.until) + LATE_COPY_MS);
  const calls = requests.filter(({ operation }) => operation === 'authorize' || operation === 'chargeStored');
  return [...groupBy(calls, ({ reference }) => reference)].flatMap(([reference, all]) => {
    const copied = all.filter(mayBeCopy).length;
    const sent = all.length - copied + Math.ceil(copied / 2);
    const busy = all.filter((call) => call.busy).length;
    const lookUps = requests.filter((each) => each.operation === 'lookup' && each.reference === reference);
    const forgotten = all.filter(
      ({ at }, n) => isLost(at) && lookUps.some((each) => each.at > at && each.at <= (all[n + 1]?.at ?? '')),
    ).length;
    if (sent <= 1 + busy + forgotten) return [];
    const found = `${all.length} calls, ${busy} refused as busy, ${copied} on a connection that repeats`;
    return [{ promise: 'no attempt is sent to the rail twice', subject: reference, found }];
  });
}

/** A call that had begun when the cancel was answered is sent within this time. */
const SENT_WITHIN_MS = 6_000;

/**
 * An attempt that was unsent when the buyer's cancel was answered is never sent. A call already on its way may arrive
 * late, after a fault of its connection or of the rail.
 */
function cancelledIsNotSent({ cancelled, sessions, payments, requests, faults, isLost }: Facts): Violation[] {
  const orderOf = new Map(sessions.map(({ id, order_id }) => [id, order_id]));
  const mayHoldUp = faults.filter(
    ({ kind, what }) => what.includes('rail') || kind.startsWith('SIGSTOP') || kind === 'the rail fails',
  );
  return cancelled.flatMap(({ sessionId, at }) => {
    const order = orderOf.get(sessionId);
    const ids = new Set(payments.filter(({ order_id }) => order_id === order).map(({ id }) => id));
    const limit = new Date(Date.parse(at) + SENT_WITHIN_MS).toISOString();
    const sent = requests.find((each) => {
      const isCall = each.operation === 'authorize' && ids.has(each.reference ?? '');
      return (
        isCall && each.at > limit && !mayHoldUp.some((fault) => fault.at <= each.at && fault.until >= at)
      );
    });
    if (!order || !sent || isLost(at)) return [];
    const found = `${sent.reference} was sent at ${sent.at}, but the session was cancelled by ${at}`;
    const promise = 'no attempt is sent after its session was cancelled';
    return [{ promise, subject: sessionId, found }];
  });
}
