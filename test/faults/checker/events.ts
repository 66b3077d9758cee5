/** Each state change has one event with one body, which reached its endpoint with a valid signature. */
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Received } from './records.ts';

interface Body {
  readonly payment?: { readonly id: string; readonly amount?: number } | null;
  readonly refund?: { readonly id: string } | null;
  readonly subscription?: { readonly id: string } | null;
  readonly invoice?: { readonly id: string } | null;
}

/** The field that names what an event of this type is about; each happens once. */
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
      .map(({ eventId }) => ({
        promise: 'every delivery is signed',
        subject: eventId,
        found: 'a signature that does not verify',
      })),
    ...[...groupBy(received, ({ eventId }) => eventId)]
      .filter(([, all]) => new Set(all.map(({ rawBody }) => rawBody)).size > 1)
      .map(([subject]) => ({ promise: 'an event has one body', subject, found: 'two bodies under one id' })),
    ...[...groupBy(received, subjectOf)]
      // After a restore the change is made again, with an event of its own.
      .filter(([, all]) => !all.some(({ at }) => facts.isLost(at)))
      .filter(([, all]) => new Set(all.map(({ eventId }) => eventId)).size > 1)
      .map(([subject, all]) => ({
        promise: 'a state change has one event',
        subject,
        found: [...new Set(all.map(({ eventId }) => eventId))].join(', '),
      })),
    ...missing(facts, new Set(received.filter(isAcknowledged).map(subjectOf))),
    ...contradicting(facts),
  ];
}

const isAcknowledged = ({ answered }: Received) => answered >= 200 && answered < 300;

function missing(
  { payments, refunds, subscriptions, invoices, listed }: Facts,
  arrived: ReadonlySet<string | null>,
) {
  const expected: string[] = [];
  for (const { id, status, amount, rail } of payments) {
    if (rail === null || listed.has(id)) continue;
    if (IS_PAID.has(status) && amount > 0) expected.push(`payment.succeeded ${id}`);
    if (status === 'failed' || status === 'cancelled') expected.push(`payment.failed ${id}`);
  }
  for (const { id, status } of refunds) if (status === 'succeeded') expected.push(`refund.created ${id}`);
  for (const { id, status } of subscriptions) {
    if (HAS_BEGUN.has(status)) expected.push(`subscription.created ${id}`);
    if (status === 'cancelled') expected.push(`subscription.cancelled ${id}`);
  }
  for (const { id } of invoices) expected.push(`invoice.created ${id}`);
  return expected
    .filter((subject) => !arrived.has(subject))
    .map((subject) => ({ promise: 'every event reaches its endpoint', subject, found: 'it never arrived' }));
}

/** An event reports what the lists say, to the cent. */
function contradicting({ received, paymentById, isLost }: Facts): Violation[] {
  return received.flatMap(({ eventId, type, rawBody, at }) => {
    const { payment } = JSON.parse(rawBody) as Body;
    const listed = payment && paymentById.get(payment.id);
    if (!payment || type === 'billing.operational_alert' || isLost(at)) return [];
    const wrong = (found: string) => [
      { promise: 'an event reports what the lists say', subject: eventId, found },
    ];
    if (!listed) return wrong(`${type} of ${payment.id}, which is not listed`);
    if (payment.amount !== undefined && payment.amount !== listed.amount)
      return wrong(`${payment.amount} cents, and ${listed.amount} are listed`);
    if (type === 'payment.succeeded' && !IS_PAID.has(listed.status))
      return wrong(`${type} of ${payment.id}, which is ${listed.status}`);
    if (type === 'payment.failed' && IS_PAID.has(listed.status))
      return wrong(`${type} of ${payment.id}, which is ${listed.status}`);
    return [];
  });
}
