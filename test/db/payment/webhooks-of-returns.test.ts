/** Webhooks about a failed return stay pending until they are processed, wherever a process dies. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import {
  applyReturnLookup,
  applyWebhooksOfReturns,
  beginReturn,
  recordOrphanReturned,
  recordReturnedByOperator,
  returnsInDoubt,
  returnsWithWebhooks,
  takeBackMark,
} from '../../../db/payment/orphaned-charges.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function orphan(): Promise<string> {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  await pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    values (${paymentId}, ${shop.merchantId}, 'sandbox', 1900, 'EUR')`);
  return paymentId;
}
async function hear(paymentId: string, hint: string): Promise<void> {
  const { railAccountId } = shop;
  const reference = `${paymentId}-return`;
  await storeRailWebhook(pool, { railAccountId, railEventId: randomUUID(), reference, hint });
  await pool.query(sql.unsafe`
    update rail_webhooks set received_at = service_clock() - interval '6 seconds' where reference = ${reference}`);
}
/** The sweep's steps before it queries the rail. @returns the charges whose workflows it signals */
async function sweep(): Promise<readonly string[]> {
  const before = await readClock(pool);
  const told = await returnsWithWebhooks(pool, before);
  await applyWebhooksOfReturns(pool, before);
  return told.map(({ paymentId }) => paymentId);
}
const unapplied = (paymentId: string) =>
  pool.exists(sql.unsafe`
    select from rail_webhooks where reference = ${`${paymentId}-return`} and applied_at is null`);

test('a refund_failed webhook that arrives before the return is recorded is applied once it is', async () => {
  const paymentId = await orphan();
  await hear(paymentId, 'refund_failed');
  expect(await sweep()).toEqual([paymentId]);
  // The workflow is signalled once, not every minute.
  expect(await sweep()).toEqual([]);
  // Simulates a worker that resumes with the rail's answer from before the failure.
  await recordOrphanReturned(pool, paymentId, 'refund');
  await sweep();
  const [doubted] = await returnsInDoubt(pool, 10);
  if (doubted?.paymentId !== paymentId) throw new Error('not in doubt');
  await applyReturnLookup(pool, doubted, false);
  expect(await unapplied(paymentId)).toBe(false);
  const open = sql.unsafe`
    select from orphaned_charges where payment_id = ${paymentId} and returned_at is null`;
  expect(await pool.exists(open)).toBe(true);
});

test('a run withdraws only its own mark of a return, not that of a later run', async () => {
  const paymentId = await orphan();
  const [first, second] = [await beginReturn(pool, paymentId, 20), await beginReturn(pool, paymentId, 60)];
  if (!first || !second) throw new Error('not marked');
  const deadline = () =>
    pool.maybeOneFirst(sql.type(z.object({ until: z.string().nullable() }))`
      select return_deadline::text as until from orphaned_charges where payment_id = ${paymentId}`);
  await takeBackMark(pool, paymentId, first);
  expect(await deadline()).toBe(second.until);
  await takeBackMark(pool, paymentId, second);
  expect(await deadline()).toBe(first.until);
  await takeBackMark(pool, paymentId, first);
  expect(await deadline()).toBeNull();
});

test('a webhook is marked as applied if it does not affect a return, or if an operator has settled the failure', async () => {
  const [open, settled] = [await orphan(), await orphan()];
  await hear(open, 'refunded');
  await hear(settled, 'refund_failed');
  expect([...(await sweep())].sort()).toEqual([open, settled].sort());
  expect(await unapplied(open)).toBe(false);
  expect(await unapplied(settled)).toBe(true);
  await recordReturnedByOperator(pool, settled, { operator: 'ada', reason: 'paid', evidence: 'transfer' });
  await sweep();
  expect(await unapplied(settled)).toBe(false);
});
