/** The API while a restored database is compared with the rail (rule 29). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { fenceIfRestored, readLedgerCopy } from '../../../db/restore/fence.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { liftFence } from '../../support/db/lift-fence.ts';

let api: TestApi;
let shop: Shop;
/** The backup does not contain the payment's success. */
let paymentId: string;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
  await api.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  const purchase = { paymentStatus: 'processing' };
  ({ paymentId } = await insertPurchase(api.pool, shop, shop.products.oneTime, purchase));
  await fenceIfRestored(api.pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
});
afterAll(() => api?.stop());

const checkout = () =>
  api.request('POST', '/v1/checkouts', {
    apiKey: shop.apiKey,
    body: { productId: shop.products.oneTime, externalCustomerId: 'customer-1' },
  });

test('503 checkout_failed: a new session, with the reason and Retry-After', async () => {
  const answer = await checkout();
  expectRefusal(answer, 503, 'checkout_failed');
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(answer.body.message).toContain('restored from a backup');
});

const refund = (of: string, key: string) =>
  api.request('POST', '/v1/refunds', {
    apiKey: shop.apiKey,
    body: { paymentId: of },
    headers: { 'idempotency-key': key },
  });

test.each([
  ['that is not refundable yet', () => paymentId, 'refund-1'],
  ['that is missing', () => 'ap_pay_lost', 'refund-2'],
])('503 dependency_unavailable: the refund of a payment %s', async (_state, of, key) => {
  const answer = await refund(of(), key);
  expectRefusal(answer, 503, 'dependency_unavailable');
  expect(answer.headers.get('retry-after')).toBe('60');
});

test('an operation refused on a subscription gets a new operation id when its key is repeated', async () => {
  const cancel = () =>
    api.request('POST', '/v1/subscriptions/ap_sub_lost/cancel', {
      apiKey: shop.apiKey,
      body: {},
      headers: { 'idempotency-key': 'cancel-1' },
    });
  const operation = () =>
    api.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select operation_id as id from idempotency_keys where key = 'cancel-1'`);
  expectRefusal(await cancel(), 503, 'dependency_unavailable');
  const first = await operation();
  expectRefusal(await cancel(), 503, 'dependency_unavailable');
  expect(await operation()).not.toBe(first);
});

test('400: an invalid request is reported even while fenced', async () => {
  const answer = await api.request('POST', '/v1/refunds', {
    apiKey: shop.apiKey,
    body: { amount: -1 },
    headers: { 'idempotency-key': 'refund-3' },
  });
  expectRefusal(answer, 400, 'invalid_request');
});

test('200: reads succeed while fenced', async () => {
  const answer = await api.request('GET', '/v1/payments', { apiKey: shop.apiKey });
  expect(answer.status).toBe(200);
});

test('201: a new session once the fence is lifted', async () => {
  await liftFence(api.pool, (await readLedgerCopy(api.pool)).epoch);
  expect((await checkout()).status).toBe(201);
});

test('requests repeated once the fence is lifted act on the state that the comparison adopted', async () => {
  await api.pool.query(sql.unsafe`
    update payments set status = 'succeeded', rail_order_id = 'at-the-rail' where id = ${paymentId}`);
  expect((await refund(paymentId, 'refund-1')).status).toBe(201);
  expectRefusal(await refund('ap_pay_lost', 'refund-2'), 404, 'payment_not_found');
  const again = await refund('ap_pay_lost', 'refund-2');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});
