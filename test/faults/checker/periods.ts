/**
 * No period of a subscription is paid twice, according to the events sent to the merchant: the service
 * identifies a period by its order, the merchant by the period's end in the event.
 */
import { type Facts, groupBy, type Violation } from './facts.ts';

interface Told {
  readonly id: string;
  readonly end: string;
  readonly isTrial: boolean;
  /** The payment, if the event reports a successful one. */
  readonly paymentId: string | null;
}

/**
 * A period of a subscription that is past due may be paid after the next one has begun, the oldest first: up to the end
 * of each period, there are no more payments than periods.
 */
export function paidOncePerPeriod(facts: Facts): Violation[] {
  const { taken, returned } = facts;
  const ofChanges = paymentsOfChanges(facts);
  const isKept = (id: string) => (taken.get(id) ?? 0) > 0 && (returned.get(id) ?? 0) < (taken.get(id) ?? 0);
  return [...groupBy(toldBy(facts), ({ id }) => id)].flatMap(([subject, told]) => {
    const trials = new Set(told.filter(({ isTrial }) => isTrial).map(({ end }) => end));
    const ends = [...new Set(told.map(({ end }) => end))].filter((end) => !trials.has(end)).sort();
    // The restore lost the subject of a listed charge, unless its id names a period's start: then it is a renewal.
    const starts = new Set(ends.map((end) => Date.parse(end)));
    const isLost = (id: string) =>
      facts.listed.has(id) && !facts.paymentById.has(id) && !starts.has(instantOf(id));
    const payments = new Map<string, string>();
    for (const { paymentId, end } of told) {
      const earlier = paymentId && payments.get(paymentId);
      if (!paymentId || !isKept(paymentId) || isLost(paymentId) || ofChanges.has(paymentId)) continue;
      if (!earlier || earlier >= end) payments.set(paymentId, end);
    }
    for (const limit of [...ends, ...trials].sort()) {
      const paid = [...payments].filter(([, end]) => end <= limit).map(([id]) => id);
      const periods = ends.filter((end) => end <= limit).length;
      if (paid.length <= periods) continue;
      const found = `${periods} periods until ${limit}, paid by ${paid.join(', ')}`;
      return [{ promise: 'at most one charge per session and period', subject, found }];
    }
    return [];
  });
}

/**
 * Start of the period that a charge pays, or instant of its change, in Unix milliseconds: its id begins with it
 * (`derived_id`).
 */
const instantOf = (paymentId: string) => Number.parseInt(paymentId.slice('ap_pay_'.length, 19), 16);

/** Payments of immediate changes: their invoices charge a share of a period, or credit the part paid for its rest. */
function paymentsOfChanges({ payments, invoices, coupons }: Facts): ReadonlySet<string> {
  const codes = new Set(coupons.map(({ code }) => code));
  const orders = new Set(
    invoices
      .filter(({ line_items }) =>
        line_items.some(
          ({ amount, description, quantity, unit_amount }) =>
            !codes.has(description) && (amount < 0 || amount !== quantity * unit_amount),
        ),
      )
      .map((each) => each.order_id),
  );
  return new Set(payments.filter(({ order_id }) => order_id && orders.has(order_id)).map(({ id }) => id));
}

function toldBy({ received }: Facts): Told[] {
  return received.flatMap(({ type, rawBody }) => {
    const { subscription, payment } = JSON.parse(rawBody) as {
      readonly subscription: { id: string; status: string; current_period_end: string | null } | null;
      readonly payment: { readonly id: string } | null;
    };
    if (!subscription?.current_period_end) return [];
    return [
      {
        id: subscription.id,
        end: subscription.current_period_end,
        isTrial: subscription.status === 'trialing',
        paymentId: type === 'payment.succeeded' && payment ? payment.id : null,
      },
    ];
  });
}
