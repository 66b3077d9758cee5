/** Stranded subscriptions: the rail account with their stored method has been replaced. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { payInvoice } from '../../../db/subscription/pay-invoice.ts';
import { findSubscriptionDetails } from '../../../db/subscription/read/subscription-details.ts';
import { chargeOldest, renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { beginDunning } from '../../../domain/subscription/dunning.ts';
import { APPROVED, DECLINED } from '../../support/db/attempts.ts';
import { insertRailAccount, insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  driverOf,
  eventTypesOf,
  insertOffering,
  insertPlan,
  insertSubscription,
  invoicesOf,
  LADDER_DAYS,
} from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let subscriptionId: string;
let driver: ReturnType<typeof driverOf>;
let answers: AttemptOutcome[];
let dueAt: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  shop = await insertShop(pool);
  subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  answers = [];
  driver = driverOf(pool, subscriptionId, () => answers.shift() ?? { kind: 'cancelled' });
  dueAt = (await driver.view()).currentPeriodEnd ?? '';
});

const after = (days: number) => new Date(Date.parse(dueAt) + days * 86_400_000).toISOString();
const setStatus = (id: string, status: string) =>
  pool.query(sql.unsafe`update rail_accounts set status = ${status} where id = ${id}`);
const replaceAccount = async () => {
  await setStatus(shop.railAccountId, 'disabled');
  return insertRailAccount(pool, shop);
};
const attempts = () =>
  pool.any(sql.type(z.object({ status: z.string() }))`
    select p.status from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null order by p.attempt_no`);
const statuses = async () => (await attempts()).map(({ status }) => status);
async function told(): Promise<Readonly<Record<string, number>>> {
  const count: Record<string, number> = {};
  for (const type of await eventTypesOf(pool, subscriptionId)) count[type] = (count[type] ?? 0) + 1;
  return count;
}
const ASKED = 'payment_method.updated_required';

test('a stranded subscription is past due from the due instant, requests a method once, and ends with its retries', async () => {
  await replaceAccount();
  const due = await driver.advance(dueAt);
  expect(due).toMatchObject({
    status: 'past_due',
    dunning: { step: 0, steps: 4 },
    next: { action: 'charge' },
  });
  expect((due.dunning?.endsAt ?? '').slice(0, 16)).toBe(after(21).slice(0, 16));
  expect(await told()).toMatchObject({ [ASKED]: 1, 'invoice.payment_failed': 1 });
  expect(await findSubscriptionDetails(pool, shop, subscriptionId)).toMatchObject({
    dunning: { declines: 0, waits_for: 'payment_method', failure_code: null },
  });
  await driver.advance(after(20));
  expect(await driver.view()).toMatchObject({ status: 'past_due', dunning: { step: 3 } });
  await driver.advance(after(22));
  expect(await driver.view()).toMatchObject({ status: 'cancelled' });
  expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
    'created',
    'uncollectible',
  ]);
  expect(await statuses()).toEqual([]);
  const all = await told();
  expect(all).toMatchObject({
    [ASKED]: 1,
    'payment.failed': 1,
    'invoice.payment_failed': 1,
    'subscription.cancelled': 1,
  });
});

test('a stranded subscription continues with its card if the account is back in use before the end', async () => {
  const successor = await replaceAccount();
  await driver.advance(after(8));
  await setStatus(successor, 'disabled');
  await setStatus(shop.railAccountId, 'active');
  answers = [APPROVED];
  await driver.advance(after(15));
  expect(await driver.view()).toMatchObject({ status: 'active', dunning: null });
  expect(await statuses()).toEqual(['succeeded']);
});

test('a stranded subscription requests a method once, and does not retry if a bank has declined the card', async () => {
  answers = [DECLINED];
  await driver.advance(after(1));
  await replaceAccount();
  await driver.advance(after(20));
  expect(await driver.view()).toMatchObject({ status: 'past_due' });
  expect(await statuses()).toEqual(['failed']);
  expect(await told()).toMatchObject({ [ASKED]: 1, 'payment.failed': 1 });
  await driver.advance(after(22));
  expect(await driver.view()).toMatchObject({ status: 'cancelled' });
});

test('a disabled account without a replacement is an outage and starts no dunning', async () => {
  await setStatus(shop.railAccountId, 'disabled');
  await insertRailAccount(pool, { ...shop, status: 'activating' });
  await insertRailAccount(pool, { ...shop, environment: 'production' });
  await driver.advance(after(3));
  expect(await driver.view()).toMatchObject({ status: 'active', dunning: null });
  expect((await attempts()).length).toBeGreaterThan(4);
  expect(await told()).not.toHaveProperty([ASKED]);
});

test('an outage of years on a moved clock causes attempts for a month, not daily for years', async () => {
  await setStatus(shop.railAccountId, 'disabled');
  await driver.advance(after(700));
  expect((await attempts()).length).toBeLessThan(40);
  expect((await invoicesOf(pool, subscriptionId)).length).toBeGreaterThan(20);
  await driver.advance(after(720));
  expect((await attempts()).length).toBeLessThan(40);
  await setStatus(shop.railAccountId, 'active');
  driver = driverOf(pool, subscriptionId, () => APPROVED);
  await driver.advance(after(722));
  expect((await invoicesOf(pool, subscriptionId)).every(({ status }) => status === 'created')).toBe(true);
});

test('a charge made by a lost copy is claimed on the account that lists it', async () => {
  await replaceAccount();
  await driver.advance(after(1));
  await pool.query(sql.unsafe`
    insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
      currency, at, state)
    select 1, ${shop.railAccountId}, 'charge', period_payment_id(subscription_id, period_start, 1), merchant_id,
      environment, 'approved', amount, currency, service_clock(), 'person'
    from invoices where subscription_id = ${subscriptionId} order by period_start desc limit 1`);
  answers = [APPROVED];
  await driver.advance(after(3));
  expect(await driver.view()).toMatchObject({ status: 'active' });
  expect(await statuses()).toEqual(['succeeded']);
});

test('an attempt that the account refuses before it is replaced is settled, and no further attempt is made', async () => {
  await setStatus(shop.railAccountId, 'disabled');
  await driver.advance(dueAt);
  await insertRailAccount(pool, shop);
  await driver.advance(after(20));
  expect(await driver.view()).toMatchObject({ status: 'past_due' });
  expect(await told()).toMatchObject({ [ASKED]: 1, 'payment.failed': 1, 'invoice.payment_failed': 1 });
  expect(await statuses()).toEqual(['cancelled']);
});

test('a stranded subscription makes no attempt on request or for a change', async () => {
  const offering = await insertOffering(pool, shop.merchantId);
  const plan = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: 1_900 });
  await pool.query(
    sql.unsafe`update products set offering_id = ${offering} where id = ${shop.products.recurring}`,
  );
  await pool.query(
    sql.unsafe`update subscriptions set offering_id = ${offering} where id = ${subscriptionId}`,
  );
  await replaceAccount();
  const operation = () => ({ subscriptionId, operationKey: randomUUID() });
  const target = {
    type: 'plan_change',
    targetPlanId: plan,
    targetOfferingId: null,
    calculatedAt: null,
  } as const;
  const refused = { kind: 'refused', reason: 'payment_method_declined' };
  expect(await changePlanNow(pool, { ...operation(), ...target })).toEqual(refused);
  await driver.advance(after(1));
  const invoiceId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from invoices where subscription_id = ${subscriptionId} and status = 'payment_failed'`);
  expect(await payInvoice(pool, { ...operation(), invoiceId })).toEqual(refused);
  expect(await statuses()).toEqual([]);
});

/** Counts the slots of a half-open rail that the call took, and frees them. */
async function taken(step: Promise<unknown>): Promise<number> {
  await step;
  const { rowCount } = await pool.query(
    sql.unsafe`update rail_breakers set probe_until = null where probe_until is not null`,
  );
  return rowCount;
}
const halfOpenRail = () =>
  pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, state, reason)
    select 'rail:' || rail || ':' || environment, rail, environment, 'open', 'timeout' from rail_accounts
    where id = ${shop.railAccountId}`);
const endPeriod = () =>
  pool.query(sql.unsafe`
    update subscriptions set current_period_end = date_trunc('milliseconds', service_clock()) where id = ${subscriptionId}`);

test('an account that is disabled without a replacement does not take the slot of a half-open rail', async () => {
  await setStatus(shop.railAccountId, 'disabled');
  await halfOpenRail();
  await endPeriod();
  expect(await taken(renewPeriod(pool, subscriptionId))).toBe(0);
  expect(await statuses()).toEqual(['processing']);
  await pool.query(sql.unsafe`delete from rail_breakers`);
});

test('a stranded subscription does not take the slot of a half-open rail', async () => {
  await replaceAccount();
  await halfOpenRail();
  await endPeriod();
  expect(await taken(renewPeriod(pool, subscriptionId))).toBe(0);
  expect(await taken(chargeOldest(pool, subscriptionId, LADDER_DAYS))).toBe(0);
  expect(await driver.view()).toMatchObject({ status: 'past_due' });
  const invoiceId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from invoices where subscription_id = ${subscriptionId} and status = 'payment_failed'`);
  const operation = { subscriptionId, operationKey: randomUUID(), invoiceId };
  expect(await taken(payInvoice(pool, operation))).toBe(0);
  await pool.query(sql.unsafe`delete from rail_breakers`);
});

test('an invoice that becomes the oldest during the retry schedule fails, and its merchant is notified once', async () => {
  await setStatus(shop.railAccountId, 'disabled');
  await driver.advance(dueAt);
  // The schedule of an older invoice, paid by link while it waited for another method, continues for this one.
  const { startedAt, retries } = beginDunning(dueAt, LADDER_DAYS);
  await pool.query(sql.unsafe`
    update subscriptions set status = 'past_due',
      dunning = ${JSON.stringify({ started_at: startedAt, retries })} where id = ${subscriptionId}`);
  await insertRailAccount(pool, shop);
  await driver.advance(after(20));
  expect(await told()).toMatchObject({ [ASKED]: 1, 'invoice.payment_failed': 1 });
  expect((await invoicesOf(pool, subscriptionId)).at(-1)).toMatchObject({ status: 'payment_failed' });
});

test('a plan with a period shorter than its retry schedule is invoiced for each period of an outage, and charged afterwards', async () => {
  const offering = await insertOffering(pool, shop.merchantId);
  const weekly = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, interval: 'week' });
  const id = await insertSubscription(pool, shop, weekly);
  let outage = true;
  const weeks = driverOf(pool, id, () => (outage ? { kind: 'cancelled' } : APPROVED));
  const start = Date.parse((await weeks.view()).currentPeriodEnd ?? '');
  const day = (days: number) => new Date(start + days * 86_400_000).toISOString();
  const statusesOfInvoices = async () => (await invoicesOf(pool, id)).map(({ status }) => status);
  await weeks.advance(day(16));
  expect(await weeks.view()).toMatchObject({ status: 'active' });
  expect(await statusesOfInvoices()).toEqual(['created', 'open', 'open', 'open']);
  outage = false;
  await weeks.advance(day(19));
  expect(await statusesOfInvoices()).toEqual(Array(4).fill('created'));
});
