/** Charges, refunds and sums that are wrong. */
import {
  charge,
  first,
  type Planted,
  paid,
  paidSession,
  refund,
  refundAtRail,
  refundExchange,
} from './copy.ts';

export const MONEY: readonly Planted[] = [
  [
    'a second charge of a session, as a second payment',
    'at most one charge per session and period',
    (copy) => {
      copy.payments.push({ ...paid(copy), id: 'ap_pay_second' });
      copy.ledger.push({ ...charge(copy), reference: 'ap_pay_second' });
    },
  ],
  [
    'a second charge of a period',
    'at most one charge per session and period',
    (copy) => {
      const entry = first(copy.ledger, ({ operation }) => operation === 'chargeStored');
      const payment = first(copy.payments, ({ id }) => id === entry.reference);
      copy.payments.push({ ...payment, id: 'ap_pay_second' });
      copy.ledger.push({ ...entry, reference: 'ap_pay_second' });
    },
  ],
  [
    'one attempt charged twice',
    'at most one charge per attempt',
    (copy) => void copy.ledger.push(charge(copy)),
  ],
  [
    'a charge unknown to the service',
    'every charge is known',
    (copy) => void copy.ledger.push({ ...charge(copy), reference: 'ap_pay_unknown' }),
  ],
  [
    'a charge recorded as declined',
    'every charge is known',
    (copy) => {
      paid(copy).status = 'failed';
    },
  ],
  [
    'a payment that is a cent too high',
    'every charge is known',
    (copy) => {
      paid(copy).amount += 1;
    },
  ],
  [
    'another currency at the rail',
    'every charge is known',
    (copy) => {
      charge(copy).currency = 'USD';
    },
  ],
  [
    'a success without a charge',
    'a succeeded payment is charged',
    (copy) => {
      copy.ledger = copy.ledger.filter((entry) => entry !== charge(copy));
    },
  ],
  [
    'a refund that the rail never made',
    'refunds agree with the rail',
    (copy) => {
      copy.railRefunds = copy.railRefunds.filter((each) => each !== refundAtRail(copy));
    },
  ],
  [
    'a refund recorded as failed that the rail made',
    'refunds agree with the rail',
    (copy) => {
      refund(copy).status = 'failed';
    },
  ],
  [
    'a refund that is a cent too small at the rail',
    'refunds agree with the rail',
    (copy) => {
      refundAtRail(copy).amount -= 1;
    },
  ],
  [
    'a refund of another payment',
    'refunds agree with the rail',
    (copy) => {
      refundAtRail(copy).chargeReference = paid(copy).id;
    },
  ],
  [
    'more refunded than charged',
    'refunded payments agree with the rail',
    (copy) =>
      void copy.railRefunds.push({ ...refundAtRail(copy), reference: 'ap_ref_more', amount: 100_000 }),
  ],
  [
    'a refunded payment recorded as not refunded',
    'refunded payments agree with the rail',
    (copy) => {
      first(copy.payments, ({ id }) => id === refund(copy).payment_id).status = 'succeeded';
    },
  ],
  [
    'a paid session without its payment',
    "a session's state matches its charge",
    (copy) => {
      paidSession(copy).payment_id = null;
    },
  ],
  [
    'a charged session recorded as failed',
    "a session's state matches its charge",
    (copy) => {
      const { order_id } = paid(copy);
      const session = copy.sessions.find((each) => each.order_id === order_id) ?? paidSession(copy);
      session.state = 'failed';
    },
  ],
  [
    'an order that is a cent off',
    'orders, invoices and payments add up',
    (copy) => {
      first(copy.orders, ({ status, payment_id }) => status === 'completed' && payment_id !== null).amount +=
        1;
    },
  ],
  [
    'a settled invoice with a cent due',
    'orders, invoices and payments add up',
    (copy) => {
      first(copy.invoices, ({ status }) => status === 'created').amount_due = 1;
    },
  ],
  [
    'an attempt sent to the rail twice',
    'no attempt is sent to the rail twice',
    (copy) => void copy.requests.push(first(copy.requests, ({ operation }) => operation === 'authorize')),
  ],

  [
    'a second charge of a period, under a fresh order',
    'at most one charge per session and period',
    (copy) => {
      const entry = first(copy.ledger, ({ operation }) => operation === 'chargeStored');
      const payment = first(copy.payments, ({ id }) => id === entry.reference);
      const told = first(
        copy.received,
        ({ type, rawBody }) => type === 'payment.succeeded' && rawBody.includes(`"id":"${entry.reference}"`),
      );
      copy.payments.push({ ...payment, id: 'ap_pay_second', order_id: 'ap_ord_second' });
      copy.ledger.push({ ...entry, reference: 'ap_pay_second' });
      const rawBody = told.rawBody.replaceAll(entry.reference, 'ap_pay_second');
      copy.received.push({ ...told, eventId: 'evt_second', rawBody });
    },
  ],
  [
    'a charge in a trial',
    'at most one charge per session and period',
    (copy) => {
      const trial = first(
        copy.received,
        ({ type, rawBody }) => type === 'subscription.created' && rawBody.includes('"status":"trialing"'),
      );
      const { payment } = JSON.parse(trial.rawBody) as { payment: { id: string } };
      const entry = first(copy.ledger, ({ reference }) => reference === payment.id);
      entry.amount = 900;
      copy.received.push({ ...trial, eventId: 'evt_charged', type: 'payment.succeeded' });
    },
  ],
  ['a dispute unknown to the service', 'disputes agree with the rail', (copy) => void copy.disputes.shift()],
  [
    'a lost dispute recorded as open',
    'disputes agree with the rail',
    (copy) => {
      first(copy.railDisputes).status = 'lost';
    },
  ],
  [
    'a dispute that is a cent off',
    'disputes agree with the rail',
    (copy) => {
      first(copy.disputes).amount += 1;
    },
  ],
  [
    'an invoice line that is a cent off',
    'orders, invoices and payments add up',
    (copy) => {
      const [line] = first(copy.invoices, ({ status }) => status === 'created').line_items;
      if (line) line.amount += 1;
    },
  ],
  [
    'an open invoice that asks for a cent less',
    'orders, invoices and payments add up',
    (copy) => {
      first(copy.invoices, ({ amount_due }) => amount_due > 0).amount_due -= 1;
    },
  ],
  [
    'an open invoice that is a cent above its order',
    'orders, invoices and payments add up',
    (copy) => {
      const open = first(copy.invoices, ({ amount_due }) => amount_due > 0);
      open.amount_due += 1;
      first(open.line_items).amount += 1;
    },
  ],
  [
    'a payment without an invoice',
    'orders, invoices and payments add up',
    (copy) => {
      const { order_id } = paid(copy);
      copy.invoices = copy.invoices.filter((each) => each.order_id !== order_id);
    },
  ],
  [
    'an unrequested second refund of a partially refunded payment',
    'every refund was requested',
    (copy) => {
      const { id } = first(copy.payments, ({ status }) => status === 'partially_refunded');
      const part = first(copy.railRefunds, (each) => each.chargeReference === id);
      copy.railRefunds.push({ ...part, reference: 'ap_ref_unknown', amount: 1 });
    },
  ],
  [
    'an orphaned charge returned only in part',
    'every refund was requested',
    (copy) => {
      first(copy.railRefunds, ({ reference }) => reference.endsWith('-return')).amount -= 1;
    },
  ],
  [
    "a charge in another currency in the rail's list",
    'every response has the right amount',
    (copy) => {
      first(copy.charges, ({ reference }) => reference === paid(copy).id).currency = 'USD';
    },
  ],
  [
    "a charge that is a cent off in the rail's list",
    'every response has the right amount',
    (copy) => {
      first(copy.charges, ({ reference }) => reference === paid(copy).id).amount += 1;
    },
  ],
  [
    'a refund in another currency at the rail',
    'every response has the right amount',
    (copy) => {
      refundAtRail(copy).currency = 'USD';
    },
  ],
  [
    'a refund response in another currency',
    'every response has the right amount',
    (copy) => {
      const told = refundExchange(copy);
      told.answer = (told.answer ?? '').replace('"currency":"EUR"', '"currency":"USD"');
    },
  ],
  [
    'a refund response that is a cent too high',
    'every response has the right amount',
    (copy) => {
      const told = refundExchange(copy);
      const { amount } = JSON.parse(told.answer ?? '{}') as { amount: number };
      told.answer = (told.answer ?? '').replace(`"amount":${amount}`, `"amount":${amount + 1}`);
    },
  ],
  [
    'an attempt that is sent after its session was cancelled',
    'no attempt is sent after its session was cancelled',
    (copy) => {
      const { id } = paidSession(copy);
      copy.faults = [];
      copy.cancelled.push({ sessionId: id, at: copy.startedAt });
      const { payment_id } = paidSession(copy);
      const sent = first(
        copy.requests,
        ({ operation, reference }) => operation === 'authorize' && reference === payment_id,
      );
      sent.at = new Date(Date.parse(copy.startedAt) + 60_000).toISOString();
    },
  ],
  [
    'a disputed payment that is refunded without a confirmation',
    'a disputed payment is refunded only if confirmed',
    (copy) => {
      const { payment_id } = first(copy.disputes);
      const told = refundExchange(copy);
      const body = JSON.stringify({ paymentId: payment_id, amount: 1 });
      copy.exchanges.push({ ...told, key: 'late', body, sentAt: copy.endedAt, answeredAt: copy.endedAt });
    },
  ],
  [
    'two partial refunds under one key',
    'one refund per key',
    (copy) => {
      const { id } = first(copy.payments, ({ status }) => status === 'partially_refunded');
      const part = first(copy.refunds, ({ payment_id }) => payment_id === id);
      const atRail = first(copy.railRefunds, ({ reference }) => reference === part.id);
      copy.refunds.push({ ...part, id: 'ap_ref_twice' });
      copy.railRefunds.push({ ...atRail, reference: 'ap_ref_twice' });
    },
  ],
];
