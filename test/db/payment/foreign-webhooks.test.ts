/**
 * Webhooks from another merchant's rail account about this merchant's payment, refund and return (rule 32).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import {
  applyWebhooksOfReturns,
  countFailedReturns,
  returnsInDoubt,
  returnsWithWebhooks,
} from '../../../db/payment/orphaned-charges.ts';
import {
  applyAgreeingWebhooks,
  applyWebhooksReceivedBefore,
  storeRailWebhook,
} from '../../../db/payment/rail-webhooks.ts';
import {
  markWebhooksPresented,
  paymentsWithUnappliedWebhooks,
  takeUnknownWebhooks,
} from '../../../db/payment/unapplied-webhooks.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import {
  applyWebhooksOfSettledRefunds,
  refundsContradictedByWebhooks,
  refundsWithWebhooks,
} from '../../../db/refund/refund-sweep.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let stranger: Shop;
let paymentId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  [shop, stranger] = [await insertShop(pool), await insertShop(pool)];
  ({ paymentId } = await insertPurchase(pool, shop, shop.products.oneTime));
});

/** Stores a webhook that the other merchant's account sent ten minutes ago. */
async function hearFromStranger(reference: string, hint: string): Promise<void> {
  const { railAccountId } = stranger;
  await storeRailWebhook(pool, { railAccountId, railEventId: randomUUID(), reference, hint });
  await pool.query(sql.unsafe`
    update rail_webhooks set received_at = service_clock() - interval '10 minutes' where reference = ${reference}`);
}

const applied = (reference: string) =>
  pool.exists(
    sql.unsafe`select from rail_webhooks where reference = ${reference} and applied_at is not null`,
  );

test('a webhook from another merchant’s account is not applied to the payment', async () => {
  await hearFromStranger(paymentId, 'approved');
  const listed = await paymentsWithUnappliedWebhooks(pool, 500);
  expect(listed.map((webhook) => webhook.paymentId)).not.toContain(paymentId);
  await applyAgreeingWebhooks(pool, paymentId, 'succeeded');
  await applyWebhooksReceivedBefore(pool, paymentId, await readClock(pool));
  await markWebhooksPresented(pool, paymentId);
  expect(await applied(paymentId)).toBe(false);
  const presented = await pool.exists(
    sql.unsafe`select from rail_webhooks where reference = ${paymentId} and presented_at is not null`,
  );
  expect(presented).toBe(false);
});

test.each(['pending', 'succeeded', 'failed'])(
  'a webhook from another merchant’s account is not applied to a refund that is %s',
  async (status) => {
    const refundId = await refund(status);
    await hearFromStranger(refundId, 'refund_failed');
    await hearFromStranger(refundId, 'refunded');
    expect(await refundsWithWebhooks(pool)).not.toContain(refundId);
    await applyWebhooksOfSettledRefunds(pool);
    const doubted = await refundsContradictedByWebhooks(pool, 500);
    expect(doubted.map(({ id }) => id)).not.toContain(refundId);
    expect(await applied(refundId)).toBe(false);
    expect(await alertsOf(shop)).toEqual([]);
  },
);

test('a webhook from another merchant’s account does not reopen a returned charge', async () => {
  await pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency, returned_at, returned_by)
    values (${paymentId}, ${shop.merchantId}, 'sandbox', 1900, 'EUR', service_clock(), 'refund')`);
  await hearFromStranger(`${paymentId}-return`, 'refund_failed');
  await applyWebhooksOfReturns(pool, await readClock(pool));
  const doubted = await returnsInDoubt(pool, 500);
  expect(doubted.map((charge) => charge.paymentId)).not.toContain(paymentId);
  expect(await countFailedReturns(pool, paymentId)).toBe(0);
  expect(await alertsOf(shop)).toEqual([]);
  await pool.query(sql.unsafe`
    update orphaned_charges set returned_at = null, returned_by = null where payment_id = ${paymentId}`);
  const asked = await returnsWithWebhooks(pool, await readClock(pool));
  expect(asked.map((charge) => charge.paymentId)).not.toContain(paymentId);
  expect(await applied(`${paymentId}-return`)).toBe(false);
});

test('a webhook from another merchant’s account is not matched to a payment by the processor’s id', async () => {
  const { railAccountId } = stranger;
  const webhook = { railAccountId, railEventId: randomUUID(), reference: null, hint: 'dispute' };
  expect(await storeRailWebhook(pool, { ...webhook, railReference: 'ch_1' })).toMatchObject({
    payment_id: null,
  });
  const own = { ...webhook, railAccountId: shop.railAccountId, railReference: 'ch_1' };
  expect(await storeRailWebhook(pool, own)).toMatchObject({ payment_id: paymentId, applied: false });
});

test('a webhook from another merchant’s account is set aside, like one with an unknown reference', async () => {
  const refundId = await refund('succeeded');
  await pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    values (${paymentId}, ${shop.merchantId}, 'sandbox', 1900, 'EUR')`);
  const references = [paymentId, refundId, `${paymentId}-return`];
  for (const reference of references) await hearFromStranger(reference, 'refund_failed');
  const unknown = await takeUnknownWebhooks(pool);
  expect(unknown.map(({ reference }) => reference)).toEqual(expect.arrayContaining(references));
});

async function refund(status: string): Promise<string> {
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  const of = { paymentId };
  const words = { amount: 100, currency: null, reason: null, railNames: ['sandbox'] };
  const created = await createRefund(pool, { scope: shop, operationId: randomUUID(), of, ...words });
  if (typeof created === 'string') throw new Error(created);
  await pool.query(sql.unsafe`update refunds set status = ${status} where id = ${created.id}`);
  return created.id;
}

function alertsOf({ merchantId }: Shop) {
  return pool.anyFirst(sql.type(z.object({ body: z.string() }))`
    select body from events where merchant_id = ${merchantId} and type = 'billing.operational_alert'`);
}
