/** POST /v1/manual-charges creates a local payment and nothing else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { payment } from '../../../contract/payment/resources.ts';
import { sql } from '../../../db/core/pool.ts';
import { paymentsWithUnappliedWebhooks } from '../../../db/payment/unapplied-webhooks.ts';
import { unstartedSessions } from '../../../db/session/session-sweep.ts';
import { overdueRows } from '../../../db/sweep/late-rows.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import {
  insertApiKey,
  insertPurchase,
  insertShop,
  type Purchase,
  type Shop,
} from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;
let other: Shop;
let purchase: Purchase;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
  other = await insertShop(api.pool);
  purchase = await insertPurchase(api.pool, shop, shop.products.oneTime);
});
afterAll(() => api?.stop());

const charge = (body?: unknown, headers: Record<string, string> = {}, apiKey = shop.apiKey) =>
  api.request('POST', '/v1/manual-charges', { apiKey, body, headers });
const countPayments = () =>
  api.pool.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) as count from payments where merchant_id = ${shop.merchantId}`);

test('a charge for an amount creates a payment in `processing`, without a rail call or an event', async () => {
  const { status, body } = await charge({ amount: 700 });
  expect(status).toBe(202);
  const { request_id, ...resource } = body;
  expect(request_id).toMatch(/^req_/);
  expect(payment.strict().parse(resource)).toMatchObject({
    status: 'processing',
    amount: 700,
    currency: 'EUR',
    order_id: null,
    rail: null,
    rail_account_id: null,
  });
  const events = await api.pool.any(sql.type(z.object({ id: z.string() }))`select id from events`);
  expect(events).toEqual([]);
});

test("a charge for an order has the order's amount, and leaves the order and its payment unchanged", async () => {
  const before = await api.request('GET', '/v1/orders', { apiKey: shop.apiKey });
  const { status, body } = await charge({ orderId: purchase.orderId, currency: 'EUR' });
  expect(status).toBe(202);
  expect(body).toMatchObject({ order_id: purchase.orderId, amount: 1_900, status: 'processing' });
  const after = await api.request('GET', '/v1/orders', { apiKey: shop.apiKey });
  expect(after.body.data).toEqual(before.body.data);
  const { body: payments } = await api.request('GET', '/v1/payments', { apiKey: shop.apiKey });
  expect(payments.data.map(({ id }: { id: string }) => id)).toEqual(
    expect.arrayContaining([body.id, purchase.paymentId]),
  );
});

test('neither sweep nor look-ups touch a manual payment, even if a rail sends a webhook about it', async () => {
  const { body } = await charge({ amount: 100 });
  await api.pool.query(sql.unsafe`
    insert into rail_webhooks (rail_account_id, rail_event_id, reference, hint, received_at)
    values (${shop.railAccountId}, 'evt-of-nobody', ${body.id}, 'approved', service_clock() - interval '1 hour')`);
  const presented = await paymentsWithUnappliedWebhooks(api.pool, 10);
  expect(presented.filter(({ open, ownerId }) => !open || ownerId !== null)).toEqual([]);
  const sessions = [
    ...(await unstartedSessions(api.pool, 10)).map(({ id }) => id),
    ...(await overdueRows(api.pool, 'session', 10)),
  ].filter((id) => id !== purchase.checkoutId);
  expect(sessions).toEqual([]);
});

test('a repeated key and body return the first payment; another body is a conflict', async () => {
  const before = await countPayments();
  const headers = { 'idempotency-key': 'manual-1' };
  const [first, second] = await Promise.all([
    charge({ amount: 300 }, headers),
    charge({ amount: 300 }, headers),
  ]);
  expect(first.status).toBe(202);
  expect(second.body).toEqual(first.body);
  expect(await countPayments()).toBe(before + 1);
  expectRefusal(await charge({ amount: 301 }, headers), 409, 'idempotency_key_conflict');
});

test('without a key every request creates a charge', async () => {
  const [first, second] = [await charge({ amount: 300 }), await charge({ amount: 300 })];
  expect(second.body.id).not.toBe(first.body.id);
});

test.each([
  ['neither order nor amount', {}],
  ['both', { orderId: 'ap_ord_1', amount: 1 }],
  ['an amount of 0', { amount: 0 }],
  ['an amount that is not an integer', { amount: 1.5 }],
  ['a string amount', { amount: '100' }],
  ["an amount beyond the column's range", { amount: 2_147_483_648 }],
  ['another currency', { amount: 100, currency: 'XTS' }],
  ['an order that is not a string', { orderId: 7 }],
])('a charge with %s is refused', async (_name, body) => {
  const before = await countPayments();
  expectRefusal(await charge(body), 400, 'invalid_request');
  expect(await countPayments()).toBe(before);
});

test('404 for an unknown order, and for an order of another merchant or the other environment', async () => {
  const theirs = await insertPurchase(api.pool, other, other.products.oneTime);
  const live = await insertApiKey(api.pool, { merchantId: shop.merchantId, environment: 'production' });
  expectRefusal(await charge({ orderId: 'ap_ord_none' }), 404, 'order_not_found');
  expectRefusal(await charge({ orderId: theirs.orderId }), 404, 'order_not_found');
  expectRefusal(await charge({ orderId: purchase.orderId }, {}, live), 404, 'order_not_found');
});

test('an invalid key, Idempotency-Key, merchantId, body or method is refused', async () => {
  expectRefusal(
    await api.request('POST', '/v1/manual-charges', { body: {} }),
    401,
    'service_api_key_required',
  );
  expectRefusal(await charge({ amount: 1 }, { 'idempotency-key': 'ü' }), 400, 'idempotency_key_invalid');
  expectRefusal(await charge({ amount: 1, merchantId: other.merchantId }), 403, 'merchant_scope_mismatch');
  expect((await charge({ amount: 1, merchantId: shop.merchantId })).status).toBe(202);
  const raw = { apiKey: shop.apiKey, raw: '{' };
  expectRefusal(await api.request('POST', '/v1/manual-charges', raw), 400, 'invalid_json');
  expectRefusal(await api.request('GET', '/v1/manual-charges'), 405, 'method_not_allowed');
});

seesEveryAnswerOf('createManualCharge');
