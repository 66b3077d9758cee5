/** Faults planted in a copy of real records; the checker has to find each. */
import { check } from './check.ts';
import type { Records } from './records.ts';

type Writable<Value> = Value extends string | number | boolean | null
  ? Value
  : Value extends readonly (infer Item)[]
    ? Writable<Item>[]
    : { -readonly [Key in keyof Value]: Writable<Value[Key]> };

/** A copy of the records that may be changed. */
export type Copy = Writable<Records>;

/** Name, promise that has to be reported, and how the copy is damaged. */
export type Planted = readonly [name: string, promise: string, damage: (copy: Copy) => void];

export function found(records: Records, damage: (copy: Copy) => void): readonly string[] {
  const copy = structuredClone(records) as Copy;
  damage(copy);
  return [...new Set(check(copy as Records).map(({ promise }) => promise))];
}

function first<Item>(items: Item[], matches: (item: Item) => boolean = () => true): Item {
  const item = items.find(matches);
  if (!item) throw new Error('the records have nothing of that kind');
  return item;
}

const paid = (copy: Copy) => {
  const refunded = new Set(copy.railRefunds.map(({ chargeReference }) => chargeReference));
  return first(
    copy.payments,
    ({ id, status, amount }) => status === 'succeeded' && amount > 0 && !refunded.has(id),
  );
};
const paidSession = (copy: Copy) =>
  first(copy.sessions, ({ state, amount }) => state === 'succeeded' && amount > 0);
const refund = (copy: Copy) => first(copy.refunds, ({ status }) => status === 'succeeded');
const refundAtRail = (copy: Copy) =>
  first(copy.railRefunds, ({ reference }) => reference === refund(copy).id);
const charge = (copy: Copy) => first(copy.ledger, ({ reference }) => reference === paid(copy).id);
const event = (copy: Copy, type: string) => first(copy.received, (each) => each.type === type);
const run = (copy: Copy) => first(copy.runs);
const without = (copy: Copy, type: string) => {
  const { eventId } = event(copy, type);
  copy.received = copy.received.filter((each) => each.eventId !== eventId);
};
const refundExchange = (copy: Copy) =>
  first(copy.exchanges, ({ path, status }) => path === '/v1/refunds' && status === 201);
const number = (copy: Copy, index: number) => {
  const year = copy.invoices.filter(({ number }) => number?.startsWith('2026-'));
  return first(year.toSorted((a, b) => String(a.number).localeCompare(String(b.number))).slice(index));
};
const incident = (kind: string) => ({ kind, id: 'ap_chk_x', payment_id: null, reason: 'planted' });

const MONEY: readonly Planted[] = [
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
    'a charge that the service does not know',
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
    'a refund called failed that was paid back',
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
    'more paid back than was taken',
    'refunded payments agree with the rail',
    (copy) =>
      void copy.railRefunds.push({ ...refundAtRail(copy), reference: 'ap_ref_more', amount: 100_000 }),
  ],
  [
    'a refunded payment that looks whole',
    'refunded payments agree with the rail',
    (copy) => {
      first(copy.payments, ({ id }) => id === refund(copy).payment_id).status = 'succeeded';
    },
  ],
  [
    'a paid session without its payment',
    'a session tells the truth about its charge',
    (copy) => {
      paidSession(copy).payment_id = null;
    },
  ],
  [
    'a charged session that is called failed',
    'a session tells the truth about its charge',
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
];

const CLIENTS: readonly Planted[] = [
  [
    'a session that was answered and is gone',
    'a 2xx is true for ever',
    (copy) => {
      const { answer } = first(
        copy.exchanges,
        ({ path, status }) => path === '/v1/checkouts' && status === 201,
      );
      const { id } = JSON.parse(answer ?? '{}');
      copy.sessions = copy.sessions.filter((session) => session.id !== id);
    },
  ],
  [
    'a refund that was answered and is gone',
    'a 2xx is true for ever',
    (copy) => {
      const { id } = JSON.parse(refundExchange(copy).answer ?? '{}');
      copy.refunds = copy.refunds.filter((each) => each.id !== id);
    },
  ],
  [
    'a refund of another amount than was answered',
    'a 2xx is true for ever',
    (copy) => {
      const exchange = refundExchange(copy);
      exchange.answer = exchange.answer?.replace(/"amount":(\d+)/, '"amount":9$1') ?? null;
    },
  ],
  [
    'a second answer under one key',
    'equal requests have one answer',
    (copy) => {
      const exchange = refundExchange(copy);
      copy.exchanges.push({ ...exchange, answer: exchange.answer?.replace('req_', 'req_9') ?? null });
    },
  ],
  [
    'an equal request called a conflict',
    'an equal request is no conflict',
    (copy) =>
      void copy.exchanges.push({
        ...refundExchange(copy),
        status: 409,
        answer: '{"code":"idempotency_key_conflict"}',
      }),
  ],
  [
    'a page that showed a paid session as failed',
    'no buyer sees a wrong outcome',
    (copy) => {
      first(copy.seen, ({ state }) => state === 'succeeded').state = 'failed';
    },
  ],
];

const EVENTS: readonly Planted[] = [
  ...['payment.succeeded', 'refund.created', 'invoice.created', 'subscription.created'].map(
    (type): Planted => [
      `a dropped ${type}`,
      'every event reaches its endpoint',
      (copy) => without(copy, type),
    ],
  ),
  [
    'an event that was never acknowledged',
    'every event reaches its endpoint',
    (copy) => {
      const { eventId } = event(copy, 'payment.succeeded');
      for (const each of copy.received) if (each.eventId === eventId) each.answered = 500;
    },
  ],
  [
    'a second body under one id',
    'an event has one body',
    (copy) => {
      const one = event(copy, 'payment.succeeded');
      copy.received.push({ ...one, rawBody: one.rawBody.replace('"occurred_at"', '"occurred"') });
    },
  ],
  [
    'a second event about one change',
    'a state change has one event',
    (copy) => void copy.received.push({ ...event(copy, 'payment.succeeded'), eventId: 'evt_second' }),
  ],
  [
    'a signature that does not verify',
    'every delivery is signed',
    (copy) => {
      event(copy, 'payment.succeeded').isSigned = false;
    },
  ],
  [
    'a failure reported for a paid payment',
    'an event reports what the lists say',
    (copy) => {
      const one = event(copy, 'payment.succeeded');
      copy.received.push({ ...one, eventId: 'evt_lie', type: 'payment.failed' });
    },
  ],
];

const STATES: readonly Planted[] = [
  [
    'a payment that goes back',
    'states move along their tables',
    (copy) => {
      const { id } = paid(copy);
      const look = { kind: 'payment', id } as const;
      copy.observed.push({ ...look, state: 'succeeded', at: '2026-01-01T00:00:00.000Z' });
      copy.observed.push({ ...look, state: 'processing', at: '2026-01-01T00:01:00.000Z' });
    },
  ],
  [
    'a finished session that moves',
    'states move along their tables',
    (copy) => {
      const { id } = paidSession(copy);
      copy.observed.push({ kind: 'session', id, state: 'failed', at: '2026-01-01T00:00:00.000Z' });
    },
  ],
  [
    'a cancelled subscription that lives on',
    'states move along their tables',
    (copy) => {
      const { id } = first(copy.subscriptions, ({ status }) => status === 'active');
      copy.observed.push({ kind: 'subscription', id, state: 'cancelled', at: '2026-01-01T00:00:00.000Z' });
    },
  ],
  [
    'a session that never ends',
    'nothing is unfinished past its deadline',
    (copy) => {
      const ended = first(copy.sessions, ({ state }) => state === 'failed');
      ended.state = 'created';
      ended.expires_at = '2026-01-01T00:00:00.000Z';
    },
  ],
  [
    'a payment that stays in processing',
    'nothing is unfinished past its deadline',
    (copy) => {
      paid(copy).status = 'processing';
    },
  ],
  [
    'a refund that stays pending',
    'nothing is unfinished past its deadline',
    (copy) => {
      refund(copy).status = 'pending';
    },
  ],
  ['an alert that stays', 'no alert stays', (copy) => void copy.incidents.push(incident('overdue'))],
  [
    'a gap in the invoice numbers',
    'invoice numbers have no gap',
    (copy) => {
      copy.invoices = copy.invoices.filter((each) => each !== number(copy, 1));
    },
  ],
  [
    'an invoice number used twice',
    'invoice numbers have no gap',
    (copy) => {
      number(copy, 2).number = number(copy, 1).number;
    },
  ],
];

const INSIDE: readonly Planted[] = [
  [
    'a workflow task that fails on and on',
    'no workflow task fails on and on',
    (copy) => {
      run(copy).taskFailuresInARow = 9;
    },
  ],
  [
    'an activity that fails on and on',
    'no activity fails on and on',
    (copy) => {
      run(copy).pendingAttempts = 40;
    },
  ],
  [
    'a workflow that has failed',
    'no workflow fails',
    (copy) => {
      run(copy).status = 'FAILED';
    },
  ],
  [
    'an email in a history',
    'no personal data or secret in Temporal',
    (copy) => {
      run(copy).payloads += `{"email":"${copy.canaries[0]}"}`;
    },
  ],
  ['a secret in a log', 'no secret in a log', (copy) => void copy.leakingLines.push('{"key":"planted"}')],
];

export const PLANTED: readonly Planted[] = [...MONEY, ...CLIENTS, ...EVENTS, ...STATES, ...INSIDE];
