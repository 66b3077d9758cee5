/**
 * SIGKILL of the worker in every activity of a renewal: subscriptions renew, each held in the middle of a different
 * write, and each kill hits as many as may move at once. In the end each has one charge, one invoice with one number,
 * and each event once.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { putFault, QUICK, query } from '../../faults/books.ts';
import { eventually } from '../../support/core/eventually.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import {
  type Bought,
  buySubscription,
  eventsOf,
  inDays,
  invoicesOfStack,
  ledgerOf,
  post,
  subscriptionOf,
} from '../../support/stack/stack-subscriptions.ts';
import { type HeldWrite, holdAt } from './hold.ts';

let stack: TestStack;
beforeAll(async () => {
  // Each transaction that is held back occupies a connection.
  stack = await startStack({ env: { ...QUICK, DATABASE_MAX_CONNECTIONS: '25' } });
});
afterAll(() => stack?.stop());

/** Every write of a renewal before it locks the merchant's counter of invoice numbers. */
const WRITES: Readonly<Record<string, HeldWrite>> = {
  'accepting the operation: its answer': { table: 'subscription_operations', on: 'insert', when: 'true' },
  'crossing the boundary: the order': { table: 'orders', on: 'insert', when: "new.source = 'subscription'" },
  'charging: the mark before the call': {
    table: 'payments',
    on: 'update',
    when: 'new.checkout_id is null and new.call_started_at is distinct from old.call_started_at',
  },
  'charging: the details of the answer': {
    table: 'payments',
    on: 'update',
    when: 'new.checkout_id is null and new.rail_order_id is distinct from old.rail_order_id',
  },
  'recording: the payment': {
    table: 'payments',
    on: 'update',
    when: "new.checkout_id is null and new.status = 'succeeded' and old.status = 'processing'",
  },
  'recording: the invoice': {
    table: 'invoices',
    on: 'update',
    when: "new.status = 'created' and old.status = 'open'",
  },
  'recording: the event': { table: 'events', on: 'insert', when: "new.type = 'payment.succeeded'" },
  "reaching the clock's target": {
    table: 'subscription_clocks',
    on: 'update',
    when: 'new.target is null and old.target is not null',
  },
};

/** A transaction held here has the counter's lock: it blocks all other numbers of the merchant. */
const BEHIND_THE_COUNTER: HeldWrite = { table: 'payments', on: 'insert', when: 'new.checkout_id is null' };

const ALL = Object.entries(WRITES);
/** At most two of a merchant's clocks may move at once (rule 37), and none while an operation's answer is held. */
const AT_ONCE = [[0, 1], [1, 3], [3, 5], [5, 7], [7]].map(([from, to]) => ALL.slice(from, to));

interface Moving extends Bought {
  readonly to: string;
  readonly asked: Promise<unknown>;
}

/** Moves a subscription's clock a day into its second period, without waiting. */
async function move(bought: Bought): Promise<Moving> {
  const { current_period_end } = await subscriptionOf(stack, bought.id);
  const to = inDays(current_period_end, 1);
  return { ...bought, to, asked: ask(bought.id, to).catch(() => null) };
}

const ask = (id: string, to: string) =>
  post(stack, `/v1/subscriptions/${id}/advance`, { to }, `advance-${id}`);

/** Waits until the clock has arrived; repeats the request under the same key. */
async function arrive({ id, to, asked }: Moving): Promise<void> {
  await asked;
  await eventually(async () => {
    expect((await ask(id, to)).status).toBe(202);
    const clocks = await query(stack, 'select target from subscription_clocks where subscription_id = $1', [
      id,
    ]);
    expect(clocks).toEqual([{ target: null }]);
  }, 180_000);
}

async function expectOneRenewal({ id, externalCustomerId }: Bought): Promise<void> {
  expect((await subscriptionOf(stack, id)).status).toBe('active');
  const invoices = await invoicesOfStack(stack, id);
  expect(invoices.map((invoice) => invoice.status)).toEqual(['created', 'created']);
  const charges = await query<{ id: string; status: string }>(
    stack,
    'select id, status from payments where invoice_id = $1 and checkout_id is null',
    [invoices[1].id],
  );
  expect(charges.filter((charge) => charge.status === 'succeeded')).toHaveLength(1);
  const ids = charges.map((charge) => charge.id);
  expect((await ledgerOf(stack)).filter(({ reference }) => ids.includes(reference))).toHaveLength(1);
  await eventually(async () => {
    // Delivery is at least once, so duplicates of an event count as one.
    const events = new Map(
      (await eventsOf(stack, externalCustomerId)).map(({ event }) => [event.id, event.type]),
    );
    // An attempt that never reached the rail ends without a charge and is followed by another.
    const told = [...events.values()].filter((type) => type !== 'payment.failed').sort();
    expect(told).toEqual([
      'invoice.created',
      'invoice.created',
      'payment.succeeded',
      'payment.succeeded',
      'subscription.created',
      'subscription.updated',
    ]);
  }, 120_000);
}

/** Counts the calls, because the rail's idempotency would hide a second one. */
async function expectNothingSentTwice(): Promise<void> {
  const requests = (await (await fetch(`${stack.railUrl}/requests`)).json()) as {
    operation: string;
    reference: string;
  }[];
  const sent = requests
    .filter(({ operation }) => operation === 'chargeStored')
    .map(({ reference }) => reference);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent).toHaveLength(new Set(sent).size);
}

async function expectNoGapInNumbers(): Promise<void> {
  const years = await query<{ year: string; numbers: string[] }>(
    stack,
    `select split_part(number, '-', 1) as year, array_agg(split_part(number, '-', 2) order by id) as numbers
     from invoices where merchant_id = $1 group by 1`,
    [stack.merchant.id],
  );
  for (const { numbers } of years) expect(numbers.map(Number)).toEqual(numbers.map((_, n) => n + 1));
}

async function buyMany(count: number): Promise<readonly Bought[]> {
  const bought: Bought[] = [];
  while (bought.length < count) bought.push(await buySubscription(stack));
  return bought;
}

test('a kill in the middle of any write still leaves one charge, one invoice number and each event once', async () => {
  const renewing = await buyMany(Object.keys(WRITES).length);
  const bought = [...renewing];
  for (const writes of AT_ONCE) {
    const holds = await holdAt(stack.databaseUrl, Object.fromEntries(writes));
    const moving = await Promise.all(bought.splice(0, writes.length).map(move));
    await holds.reached();
    await stack.kill('worker');
    await holds.release();
    await stack.start('worker');
    await Promise.all(moving.map(arrive));
  }
  for (const each of renewing) await expectOneRenewal(each);
  await expectNothingSentTwice();
  await expectNoGapInNumbers();
}, 600_000);

test('a kill while an invoice number is held, or after the rail has charged but not answered, repeats nothing', async () => {
  const [charged, numbered] = (await buyMany(2)) as [Bought, Bought];
  await putFault(stack, { operation: 'chargeStored', mode: 'delay-after', delayMs: 15_000 });
  const first = await move(charged);
  await eventually(async () => {
    const [open] = await query<{ id: string }>(
      stack,
      `select p.id from payments p join invoices i on i.id = p.invoice_id
       where i.subscription_id = $1 and p.checkout_id is null and p.status = 'processing'`,
      [charged.id],
    );
    expect((await ledgerOf(stack)).map(({ reference }) => reference)).toContain(open?.id);
  }, 60_000);
  const holds = await holdAt(stack.databaseUrl, { 'crossing the boundary: the claim': BEHIND_THE_COUNTER });
  const second = await move(numbered);
  await holds.reached();
  await stack.kill('worker');
  await holds.release();
  await stack.start('worker');
  await Promise.all([first, second].map(arrive));
  for (const each of [charged, numbered]) await expectOneRenewal(each);
  await expectNothingSentTwice();
  await expectNoGapInNumbers();
}, 400_000);
