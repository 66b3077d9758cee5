/** Each state change has one event with one body, which reached its endpoint with a valid signature. */
import { SENT_ON_REQUEST } from '../../../contract/webhook/events.ts';
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Received } from './records.ts';

interface Body {
  readonly payment?: { readonly id: string; readonly amount?: number } | null;
  readonly refund?: { readonly id: string } | null;
  readonly subscription?: {
    readonly id: string;
    readonly status: string;
    readonly current_period_end: string | null;
  } | null;
  readonly invoice?: { readonly id: string } | null;
  readonly checkout?: { readonly id: string } | null;
}

/** By event type: the field with the subject's id. Each of these events happens once per subject. */
const ONCE: Readonly<Record<string, keyof Body>> = {
  'payment.succeeded': 'payment',
  'payment.failed': 'payment',
  'refund.created': 'refund',
  'subscription.created': 'subscription',
  'subscription.cancelled': 'subscription',
  'invoice.created': 'invoice',
};
const HAS_BEGUN = new Set(['trialing', 'active', 'past_due', 'cancelled']);
const IS_PAID = new Set(['succeeded', 'partially_refunded', 'refunded']);

export function checkEvents(facts: Facts): Violation[] {
  const { received } = facts;
  const subjectOf = (event: Received) => {
    const field = ONCE[event.type];
    const id = field && (JSON.parse(event.rawBody) as Body)[field]?.id;
    return id ? `${event.type} ${id}` : null;
  };
  return [
    ...received
      .filter(({ isSigned }) => !isSigned)
      .map(
        ({ eventId }): Violation => ({
          promise: 'every delivery is signed',
          subject: eventId,
          found: 'a signature that does not verify',
        }),
      ),
    ...[...groupBy(received, ({ eventId }) => eventId)]
      .filter(([, all]) => new Set(all.map(({ rawBody }) => rawBody)).size > 1)
      .map(
        ([subject]): Violation => ({
          promise: 'an event has one body',
          subject,
          found: 'two bodies under one id',
        }),
      ),
    ...[...groupBy(received, subjectOf)]
      // A change lost in a restore is made again, with a new event.
      .filter(([, all]) => !all.some(({ at }) => facts.isLost(at)))
      .filter(([, all]) => new Set(all.map(({ eventId }) => eventId)).size > 1)
      .map(
        ([subject, all]): Violation => ({
          promise: 'a state change has one event',
          subject,
          found: [...new Set(all.map(({ eventId }) => eventId))].join(', '),
        }),
      ),
    ...missing(facts, new Set(received.filter(isAcknowledged).map(subjectOf))),
    ...logged(facts),
    ...subscriptionsAreTold(facts),
    ...contradicting(facts),
  ];
}

const isAcknowledged = ({ answered }: Received) => answered >= 200 && answered < 300;

function missing(
  { payments, refunds, subscriptions, invoices, listed }: Facts,
  arrived: ReadonlySet<string | null>,
): Violation[] {
  const expected: string[] = [];
  for (const { id, status, amount, rail, order_id } of payments) {
    if (rail === null || listed.has(id)) continue;
    if (IS_PAID.has(status) && amount > 0) expected.push(`payment.succeeded ${id}`);
    // A payment without an order set up a new payment method: its event reports the end of the session.
    const isSale = order_id !== null;
    if (isSale && (status === 'failed' || status === 'cancelled')) expected.push(`payment.failed ${id}`);
  }
  for (const { id, status } of refunds) if (status === 'succeeded') expected.push(`refund.created ${id}`);
  for (const { id, status } of subscriptions) {
    if (HAS_BEGUN.has(status)) expected.push(`subscription.created ${id}`);
    if (status === 'cancelled') expected.push(`subscription.cancelled ${id}`);
  }
  for (const { id, status } of invoices) if (status !== 'void') expected.push(`invoice.created ${id}`);
  return expected
    .filter((subject) => !arrived.has(subject))
    .map((subject) => ({ promise: 'every event reaches its endpoint', subject, found: 'it never arrived' }));
}

/** Every logged event to which the endpoint subscribes has arrived, and every event that arrived is in the log. */
function logged({ events, received, isLost }: Facts): Violation[] {
  const promise = 'every event reaches its endpoint' as const;
  const acknowledged = groupBy(received.filter(isAcknowledged), ({ eventId }) => eventId);
  const known = new Map(events.map((event) => [event.id, event]));
  return [
    ...events
      .filter(({ id, type }) => !acknowledged.has(id) && !SENT_ON_REQUEST.some((each) => each === type))
      .map(({ id, type }) => ({ promise, subject: id, found: `${type} is logged, but never arrived` })),
    ...[...groupBy(received, ({ eventId }) => eventId)].flatMap(([subject, all]): Violation[] => {
      const [first] = all;
      if (!first || all.some(({ at }) => isLost(at)) || known.get(subject)?.type === first.type) return [];
      const found = `${first.type} arrived, but the log has ${known.get(subject)?.type ?? 'none'}`;
      return [{ promise: 'an event matches the lists', subject, found }];
    }),
  ];
}

/**
 * The merchant was notified of each subscription's status and period, and of each renewal not paid
 * immediately. A failed attempt on a payment link does not change its invoice: only `payment.failed` reports it.
 */
function subscriptionsAreTold({ subscriptions, payments, orders, received, listed }: Facts): Violation[] {
  const promise = 'every event reaches its endpoint' as const;
  const told = new Set<string>();
  for (const { type, rawBody } of received.filter(isAcknowledged)) {
    const { subscription, payment, checkout } = JSON.parse(rawBody) as Body;
    const isByLink = type === 'payment.failed' && checkout?.id.startsWith('ap_lnk_');
    if (type === 'invoice.payment_failed' || isByLink) told.add(`${payment?.id}`);
    if (subscription && type.startsWith('subscription.')) told.add(stateOf(subscription));
  }
  const periods = new Set(orders.filter(({ source }) => source === 'subscription').map(({ id }) => id));
  return [
    ...payments
      .filter(({ status, order_id }) => status === 'failed' && periods.has(order_id ?? ''))
      .filter(({ id }) => !told.has(id) && !listed.has(id))
      .map(({ id }) => ({ promise, subject: id, found: 'failed without an invoice.payment_failed' })),
    ...subscriptions
      .filter((each) => HAS_BEGUN.has(each.status) && !told.has(stateOf(each)) && !listed.has(each.id))
      .map((each) => ({ promise, subject: each.id, found: `no event reported ${stateOf(each)}` })),
  ];
}

const stateOf = ({ id, status, current_period_end }: NonNullable<Body['subscription']>) =>
  `${id}, ${status} until ${current_period_end}`;

/** Finds events whose amounts differ from those in the lists. */
function contradicting({ received, paymentById, isLost }: Facts): Violation[] {
  return received.flatMap(({ eventId, type, rawBody, at }) => {
    const { payment } = JSON.parse(rawBody) as Body;
    const listed = payment && paymentById.get(payment.id);
    if (!payment || type === 'billing.operational_alert' || isLost(at)) return [];
    const wrong = (found: string): Violation[] => [
      { promise: 'an event matches the lists', subject: eventId, found },
    ];
    if (!listed) return wrong(`${type} of ${payment.id}, which is not listed`);
    if (payment.amount !== undefined && payment.amount !== listed.amount)
      return wrong(`${payment.amount} cents, but ${listed.amount} are listed`);
    if (type === 'payment.succeeded' && !IS_PAID.has(listed.status))
      return wrong(`${type} of ${payment.id}, which is ${listed.status}`);
    if (type === 'payment.failed' && IS_PAID.has(listed.status))
      return wrong(`${type} of ${payment.id}, which is ${listed.status}`);
    return [];
  });
}
