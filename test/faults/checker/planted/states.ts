/** States that move backwards, and objects that never end. */
import { type Copy, first, type Planted, paid, paidSession, refund } from './copy.ts';

const number = (copy: Copy, index: number) => {
  const year = copy.invoices.filter(({ number }) => number?.startsWith('2026-'));
  return first(year.toSorted((a, b) => String(a.number).localeCompare(String(b.number))).slice(index));
};
const incident = (kind: string) => ({ kind, id: 'ap_chk_x', payment_id: null, reason: 'planted' });

/** Adds a request to a subscription that was answered 200. */
function answered(copy: Copy, path: string, body: string, answer: object): void {
  const asked = first(copy.exchanges, ({ path: each, status }) => each.endsWith('/advance') && status < 300);
  const added = { key: null, status: 200, path: `/v1/subscriptions/${path}`, body };
  copy.exchanges.push({ ...asked, ...added, answer: JSON.stringify(answer) });
}

export const STATES: readonly Planted[] = [
  [
    'a payment that moves backwards',
    'states follow their tables',
    (copy) => {
      const { id } = paid(copy);
      const look = { kind: 'payment', id } as const;
      copy.observed.push({ ...look, state: 'succeeded', at: '2026-01-01T00:00:00.000Z' });
      copy.observed.push({ ...look, state: 'processing', at: '2026-01-01T00:01:00.000Z' });
    },
  ],
  [
    'a finished session that changes state',
    'states follow their tables',
    (copy) => {
      const { id } = paidSession(copy);
      copy.observed.push({ kind: 'session', id, state: 'failed', at: '2026-01-01T00:00:00.000Z' });
    },
  ],
  [
    'a cancelled subscription that becomes active again',
    'states follow their tables',
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
  [
    'an alert that never clears',
    'every alert clears',
    (copy) => void copy.incidents.push(incident('overdue')),
  ],
  [
    'a gap in the invoice numbers',
    'invoice numbers have no gaps',
    (copy) => {
      copy.invoices = copy.invoices.filter((each) => each !== number(copy, 1));
    },
  ],
  [
    'an invoice number used twice',
    'invoice numbers have no gaps',
    (copy) => {
      number(copy, 2).number = number(copy, 1).number;
    },
  ],

  [
    'a pause that outlasts its end',
    'nothing is unfinished past its deadline',
    (copy) => {
      const subscription = first(copy.subscriptions, ({ status }) => status === 'active');
      subscription.status = 'paused';
      subscription.resumes_at = '2026-01-01T00:00:00.000Z';
    },
  ],
  [
    'an immediate change whose charge never ends',
    'nothing is unfinished past its deadline',
    (copy) => {
      const subscription = first(copy.subscriptions, ({ status }) => status === 'active');
      const effective_at = subscription.clock;
      subscription.change = {
        action_id: 'ap_act_x',
        status: 'pending',
        target_plan_id: 'ap_prod_x',
        effective_at,
      };
    },
  ],
  [
    'a change of method that stays in processing',
    'nothing is unfinished past its deadline',
    (copy) => {
      first(copy.methodChanges).state = 'processing';
    },
  ],
  [
    'a subscription that stays incomplete',
    'nothing is unfinished past its deadline',
    (copy) => {
      first(copy.subscriptions, ({ status }) => status === 'expired').status = 'incomplete';
    },
  ],
  [
    'an overdue renewal',
    'nothing is unfinished past its deadline',
    (copy) => {
      const due = first(copy.subscriptions, ({ status }) => status === 'active');
      due.clock = new Date(Date.parse(due.current_period_end ?? '') + 60_000).toISOString();
    },
  ],
  [
    'a subscription that outlives its last period',
    'nothing is unfinished past its deadline',
    (copy) => {
      const late = first(copy.subscriptions, ({ status }) => status === 'active');
      const end = Date.parse(late.current_period_end ?? '');
      Object.assign(late, { cancel_at_period_end: true, next_charge_at: null });
      late.clock = new Date(end + 60_000).toISOString();
    },
  ],
  [
    'a clock that moves for ever',
    'nothing is unfinished past its deadline',
    (copy) => {
      const moving = first(copy.subscriptions, ({ status }) => status === 'active');
      moving.clock_target = '2099-01-01T00:00:00.000Z';
    },
  ],
  [
    'an overdue retry',
    'nothing is unfinished past its deadline',
    (copy) => {
      const late = first(copy.subscriptions, ({ status }) => status === 'past_due');
      late.next_charge_at = late.clock.replace(/^\d{4}/, '2020');
    },
  ],
  [
    'an active subscription with an unpaid invoice',
    'nothing is unfinished past its deadline',
    (copy) => {
      const { id } = first(copy.subscriptions, ({ status }) => status === 'active');
      const invoice = first(copy.invoices, ({ subscription_id }) => subscription_id === id);
      invoice.status = 'open';
    },
  ],
  [
    'a quantity that was charged as the period ended, but is not in effect',
    'a 2xx response stays true',
    (copy) => {
      const subscription = first(copy.subscriptions, ({ status }) => status === 'active');
      subscription.quantity = 1;
      const body = JSON.stringify({ quantity: 3, effective: 'now' });
      answered(copy, `${subscription.id}/quantity`, body, { change: { status: 'applied' } });
    },
  ],
  [
    'a trial that was ended as it expired, but continues',
    'a 2xx response stays true',
    (copy) => {
      const subscription = first(copy.subscriptions, ({ status }) => status === 'active');
      subscription.status = 'trialing';
      answered(copy, `${subscription.id}/trial`, JSON.stringify({ ends_at: 'now' }), {});
    },
  ],
];
