/**
 * Operations that race a renewal, over HTTP, on real processes: in either order the period is billed at most once, to
 * one plan, and every response is accurate.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { RECURRING } from '../../support/db/fixtures.ts';
import { insertOffering, insertPlan } from '../../support/db/subscriptions.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import {
  advanceTo,
  type Bought,
  buySubscription,
  eventsOf,
  type HttpAnswer,
  invoicesOfStack,
  ledgerOf,
  post,
  subscriptionOf,
} from '../../support/stack/stack-subscriptions.ts';

let stack: TestStack;
let pool: Pool;
let basic: string;
let plus: string;

beforeAll(async () => {
  stack = await startStack();
  pool = await openPool({ url: stack.databaseUrl, maxConnections: 2 });
  const offering = await insertOffering(pool, stack.merchant.id);
  basic = await insertPlan(pool, stack.merchant.id, offering, RECURRING);
  plus = await insertPlan(pool, stack.merchant.id, offering, { ...RECURRING, amount: 1_900 });
});
afterAll(async () => {
  await pool?.end();
  await stack?.stop();
});

/** How long before the end of the period an operation is sent; some arrive after it. */
const LEADS_MS = [200, 20, 0, -20, -200];
/** The winners, to check that each side has won at least once. */
const seen = new Set<string>();

/** A subscription whose period ends soon by its own clock, and that instant on this process's clock. */
async function aboutToRenew(
  inMs = 2_500,
): Promise<Bought & { readonly endsAtMs: number; readonly end: string }> {
  const bought = await buySubscription(stack, { productId: basic });
  const { current_period_end: end } = await subscriptionOf(stack, bought.id);
  await advanceTo(stack, bought.id, new Date(Date.parse(end) - inMs).toISOString());
  const leftMs = await pool.oneFirst(sql.type(z.object({ left: z.number() }))`
    select extract(epoch from current_period_end - subscription_clock(id)) * 1000 as left
    from subscriptions where id = ${bought.id}
  `);
  return { ...bought, end, endsAtMs: Date.now() + leftMs };
}

async function at(instantMs: number, send: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  await pause(Math.max(0, instantMs - Date.now()));
  return send();
}

/** Waits until the renewal or the cancellation is complete. */
async function atRest({ id, end }: { readonly id: string; readonly end: string }) {
  return eventually(async () => {
    const subscription = await subscriptionOf(stack, id);
    const invoices = await invoicesOfStack(stack, id);
    const crossed = subscription.status === 'cancelled' || subscription.current_period_end > end;
    if (!crossed || invoices.some(({ status }) => status === 'open')) throw new Error('not yet');
    return { subscription, invoices };
  }, 30_000);
}

async function charged(invoices: readonly HttpAnswer['body'][]): Promise<readonly number[]> {
  const ids = invoices.map(({ id }) => String(id));
  const rows = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from payments where invoice_id = any (${sql.array(ids, 'text')}) and checkout_id is null
  `);
  return (await ledgerOf(stack))
    .filter(({ reference, operation }) => operation === 'chargeStored' && rows.includes(reference))
    .map(({ amount }) => amount);
}

async function raceCancel(leadMs: number, endsInMs?: number): Promise<void> {
  const subscription = await aboutToRenew(endsInMs);
  const answer = await at(subscription.endsAtMs - leadMs, () =>
    post(stack, `/v1/subscriptions/${subscription.id}/cancel`, {}),
  );
  expect([answer.status, answer.body.status]).toEqual([200, 'cancelled']);
  const { invoices } = await atRest(subscription);
  expect([1, 2]).toContain(invoices.length);
  seen.add(invoices.length === 1 ? 'cancel first' : 'renewal first');
  expect(await charged(invoices)).toEqual(invoices.length === 2 ? [900] : []);
  expect(invoices.every(({ status }) => status === 'created')).toBe(true);
  await eventually(async () => {
    const types = (await eventsOf(stack, subscription.externalCustomerId)).map(({ event }) => event.type);
    expect(types.filter((type) => type === 'subscription.cancelled')).toHaveLength(1);
    expect(types.filter((type) => type === 'invoice.created')).toHaveLength(invoices.length);
  });
}

async function raceChange(leadMs: number, endsInMs?: number): Promise<void> {
  const subscription = await aboutToRenew(endsInMs);
  const answer = await at(subscription.endsAtMs - leadMs, () =>
    post(stack, `/v1/subscriptions/${subscription.id}/plan-change`, { target_plan_id: plus }),
  );
  expect(answer.status).toBe(202);
  const { subscription: after, invoices } = await atRest(subscription);
  const inTime = answer.body.change.effective_at === subscription.end;
  expect(await charged(invoices)).toEqual([inTime ? 1_900 : 900]);
  seen.add(inTime ? 'change first' : 'renewal before change');
  expect(invoices.at(-1).line_items[0].product_id).toBe(inTime ? plus : basic);
  expect(after.change).toMatchObject({ status: inTime ? 'applied' : 'scheduled' });
  if (!inTime) expect(after.change.effective_at).toBe(after.current_period_end);
}

async function raceWithdrawal(leadMs: number, endsInMs?: number): Promise<void> {
  const subscription = await aboutToRenew(endsInMs);
  const scheduled = await post(stack, `/v1/subscriptions/${subscription.id}/plan-change`, {
    target_plan_id: plus,
  });
  const { action_id } = scheduled.body.change;
  const answer = await at(subscription.endsAtMs - leadMs, () =>
    post(stack, `/v1/subscriptions/${subscription.id}/plan-change/cancel`, { action_id }),
  );
  const { subscription: after, invoices } = await atRest(subscription);
  const taken = answer.status === 200;
  if (taken) expect(answer.body.status).toBe('cancelled');
  else expect([answer.status, answer.body.code]).toEqual([409, 'subscription_change_not_scheduled']);
  expect(await charged(invoices)).toEqual([taken ? 900 : 1_900]);
  seen.add(taken ? 'withdrawn first' : 'applied first');
  expect(after.change.status).toBe(taken ? 'cancelled' : 'applied');
}

describe.each(LEADS_MS)('%i ms before the end of the period', (leadMs) => {
  test(
    'a cancellation takes effect before the renewal or after its payment',
    () => raceCancel(leadMs),
    90_000,
  );
  test('a plan change applies to the period that its response names', () => raceChange(leadMs), 90_000);
  test(
    'a withdrawn plan change is cancelled or applied, as the response states',
    () => raceWithdrawal(leadMs),
    90_000,
  );
});

test('each side wins each race at least once', async () => {
  const races = [
    { race: raceCancel, before: 'cancel first', after: 'renewal first' },
    { race: raceChange, before: 'change first', after: 'renewal before change' },
    { race: raceWithdrawal, before: 'withdrawn first', after: 'applied first' },
  ];
  // On a busy machine, a request can take longer than the leads.
  for (const { race, before, after } of races) {
    if (!seen.has(before)) await race(15_000, 20_000);
    if (!seen.has(after)) await race(-5_000);
    expect([...seen]).toEqual(expect.arrayContaining([before, after]));
  }
}, 300_000);

test('a concurrent cancellation, plan change and withdrawal agree on one outcome', async () => {
  const subscription = await aboutToRenew();
  const path = `/v1/subscriptions/${subscription.id}`;
  const scheduled = await post(stack, `${path}/plan-change`, { target_plan_id: plus });
  const { action_id } = scheduled.body.change;
  const instant = subscription.endsAtMs - 5;
  const [cancelled, changed, taken] = await Promise.all([
    at(instant, () => post(stack, `${path}/cancel`, {})),
    at(instant, () => post(stack, `${path}/plan-change`, { target_plan_id: plus })),
    at(instant, () => post(stack, `${path}/plan-change/cancel`, { action_id })),
  ]);
  const { subscription: after, invoices } = await atRest(subscription);
  expect(after.status === 'cancelled').toBe(cancelled?.status === 200);
  if (cancelled?.status !== 200) expect(cancelled?.body.code).toBe('subscription_change_scheduled');
  expect([202, 400, 409]).toContain(changed?.status);
  expect([200, 409]).toContain(taken?.status);
  const amounts = await charged(invoices);
  expect(amounts).toHaveLength(invoices.length - 1);
  if (amounts.length === 1) expect(amounts[0]).toBe(invoices.at(-1).line_items[0].amount);
});
