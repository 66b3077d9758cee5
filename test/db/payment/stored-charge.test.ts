/** The mark of an off-session charge (rule 3). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { beginChargeStored } from '../../../db/payment/stored-charge.ts';
import { advanceSubscription } from '../../../db/subscription/advance-subscription.ts';
import { cancelSubscription } from '../../../db/subscription/cancel-subscription.ts';
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
// Stops the merchant's clocks, because only two may move at once (rule 37).
beforeEach(() => pool.query(sql.unsafe`update subscription_clocks set target = null`));

/** A renewal's claimed charge whose call has not begun. */
async function claimedCharge(): Promise<string> {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  const to = (await driver.view()).currentPeriodEnd ?? '';
  await advanceSubscription(pool, { subscriptionId, operationKey: randomUUID(), to });
  await driver.turn();
  return (await driver.view()).openAttempt?.attemptId ?? '';
}

test('only one of three concurrent attempts to begin a charge succeeds', async () => {
  const paymentId = await claimedCharge();
  const begun = await Promise.all([1, 2, 3].map(() => beginChargeStored(pool, paymentId, 20)));
  expect(begun.filter((each) => each !== null)).toHaveLength(1);
  expect(await beginChargeStored(pool, paymentId, 20)).toBeNull();
});

test('a charge that has an outcome is not started again', async () => {
  const paymentId = await claimedCharge();
  await pool.query(sql.unsafe`update payments set status = 'failed' where id = ${paymentId}`);
  expect(await beginChargeStored(pool, paymentId, 20)).toBeNull();
});

test('a charge whose subscription is cancelled before the call is not started, and is looked up from then on', async () => {
  const paymentId = await claimedCharge();
  const subscriptionId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select i.subscription_id as id from payments p join invoices i on i.id = p.invoice_id where p.id = ${paymentId}`);
  const cancelled = { subscriptionId, operationKey: randomUUID(), atPeriodEnd: false };
  expect(await cancelSubscription(pool, cancelled)).toMatchObject({ kind: 'done' });
  expect(await beginChargeStored(pool, paymentId, 20)).toBeNull();
  expect(
    await pool.exists(
      sql.unsafe`select from payments where id = ${paymentId} and call_started_at is not null`,
    ),
  ).toBe(true);
});
