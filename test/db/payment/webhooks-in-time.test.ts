/** A look-up covers webhooks received before it started; later ones cause another look-up (rule 24). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import { applyWebhooksReceivedBefore, storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { insertPurchase, insertShop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());

test('a webhook that arrives during a look-up is not marked as applied by it', async () => {
  const shop = await insertShop(pool);
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const { railAccountId } = shop;
  const hear = async (hint: string) => {
    await storeRailWebhook(pool, { railAccountId, railEventId: randomUUID(), reference: paymentId, hint });
  };
  await hear('declined');
  const askedAt = await readClock(pool);
  await hear('cancelled');
  // Moves the webhook, because clock readings are in whole milliseconds.
  await pool.query(sql.unsafe`
    update rail_webhooks set received_at = ${askedAt}::timestamptz + interval '1 second' where hint = 'cancelled'`);
  await applyWebhooksReceivedBefore(pool, paymentId, askedAt);
  const open = await pool.anyFirst(sql.type(z.object({ hint: z.string() }))`
    select hint from rail_webhooks where reference = ${paymentId} and applied_at is null`);
  expect(open).toEqual(['cancelled']);
});
