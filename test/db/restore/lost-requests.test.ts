/** What merchants had asked for, as Temporal remembers it, in a restored database (rule 29). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import { settleFinding } from '../../../db/restore/close-findings.ts';
import { adoptCancellation, listLostRequest } from '../../../db/restore/lost-requests.ts';
import { cancelSubscription } from '../../../db/subscription/cancel-subscription.ts';
import { crossBoundary } from '../../../db/subscription/renew-subscription.ts';
import { APPROVED } from '../../support/db/attempts.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function cancelledAtPeriodEnd() {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const asked = { subscriptionId, operationKey: randomUUID(), at: await readClock(pool), atPeriodEnd: true };
  return { subscriptionId, asked };
}

/** The period ends, and the next one begins with the claim of its charge. */
async function nextPeriod(subscriptionId: string): Promise<void> {
  await pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock() where id = ${subscriptionId}`);
  await crossBoundary(pool, subscriptionId);
}

const calls = (subscriptionId: string) =>
  pool.anyFirst(sql.type(z.object({ begun: z.boolean() }))`
    select p.call_started_at is not null as begun from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null`);

test('a cancellation is stored again, once, for the end of its period', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  expect(await adoptCancellation(pool, asked)).toBe('ends_with_its_period');
  expect(await adoptCancellation(pool, asked)).toBeNull();
  await nextPeriod(subscriptionId);
  expect((await driverOf(pool, subscriptionId, () => APPROVED).view()).status).toBe('cancelled');
  expect(await calls(subscriptionId)).toEqual([]);
});

test('the next period, which began meanwhile, is not charged: its claim is looked up and never sent', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  await nextPeriod(subscriptionId);
  expect(await calls(subscriptionId)).toEqual([false]);
  expect(await adoptCancellation(pool, asked)).toBe('ended');
  expect(await calls(subscriptionId)).toEqual([true]);
  const driver = driverOf(pool, subscriptionId, () => ({ kind: 'cancelled' }));
  while (await driver.turn());
  expect((await driver.view()).status).toBe('cancelled');
});

test('the next period, if the rail had charged it, is lived to its end', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  await nextPeriod(subscriptionId);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  await driver.turn();
  expect(await adoptCancellation(pool, asked)).toBe('ends_with_its_period');
  expect((await driver.view()).status).toBe('active');
});

test('a cancellation at once ends it, and one that the database has changes nothing', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  await cancelSubscription(pool, { ...asked, operationKey: 'known' });
  const known = { ...asked, operationKey: 'known', atPeriodEnd: false };
  expect(await adoptCancellation(pool, known)).toBeNull();
  expect(await adoptCancellation(pool, { ...asked, atPeriodEnd: false })).toBe('ended');
  expect(await adoptCancellation(pool, { ...asked, operationKey: 'later' })).toBeNull();
  expect((await driverOf(pool, subscriptionId, () => APPROVED).view()).status).toBe('cancelled');
  expect(await adoptCancellation(pool, { ...asked, subscriptionId: 'ap_sub_lost' })).toBeNull();
});

test('a change is listed once, until it is settled or another one was lost', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  const change = { ...asked, name: 'scheduleChange' };
  expect(await listLostRequest(pool, 1, change)).toBe(true);
  expect(
    await settleFinding(pool, { reference: subscriptionId, operator: 'ada', evidence: 'repeated' }),
  ).toBe(true);
  expect(await listLostRequest(pool, 2, change)).toBe(false);
  const later = { ...change, at: new Date(Date.parse(asked.at) + 1_000).toISOString() };
  expect(await listLostRequest(pool, 2, later)).toBe(true);
  await cancelSubscription(pool, asked);
  expect(await listLostRequest(pool, 3, { ...later, at: '2099-01-01T00:00:00Z' })).toBe(false);
});
