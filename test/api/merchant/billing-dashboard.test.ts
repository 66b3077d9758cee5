/** GET /v1/billing/dashboard: counters of the key's environment. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { billingDashboard } from '../../../contract/merchant/billing-counters.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertApiKey, insertPurchase, insertShop } from '../../support/db/fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

const get = (apiKey: string) => api.request('GET', '/v1/billing/dashboard', { apiKey });

test("200: counts the merchant's own rows of one environment", async () => {
  const shop = await insertShop(api.pool);
  const other = await insertShop(api.pool);
  await insertPurchase(api.pool, shop, shop.products.oneTime);
  await insertPurchase(api.pool, shop, shop.products.recurring, { recurring: true });
  await insertPurchase(api.pool, other, other.products.oneTime);
  const answer = await get(shop.apiKey);
  expect(answer.status).toBe(200);
  expect(billingDashboard.strict().parse(answer.body)).toEqual({
    merchant_id: shop.merchantId,
    orders: 2,
    payments: 2,
    invoices: 2,
    subscriptions: 1,
    request_id: answer.headers.get('x-request-id'),
  });
  expectMarks(answer);
  const live = await insertApiKey(api.pool, { merchantId: shop.merchantId, environment: 'production' });
  expect((await get(live)).body).toMatchObject({ orders: 0, payments: 0, invoices: 0, subscriptions: 0 });
});

test('200: no subscriptions counter without the subscriptions capability', async () => {
  const shop = await insertShop(api.pool, { subscriptionsEnabled: false });
  const { body } = await get(shop.apiKey);
  expect(Object.keys(body)).toEqual(['merchant_id', 'orders', 'payments', 'invoices', 'request_id']);
});

test('405: an unsupported method', async () => {
  const shop = await insertShop(api.pool);
  const answer = await api.request('POST', '/v1/billing/dashboard', { apiKey: shop.apiKey });
  expectRefusal(answer, 405, 'method_not_allowed');
});

seesEveryAnswerOf('showBillingDashboard');
