import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/postgres.ts';

let replica: OpenTestDatabase;
let api: TestApi;
let shop: Shop;
beforeAll(async () => {
  replica = await openTestDatabase();
  api = await startTestApi({ readerPool: replica.pool });
  shop = await insertShop(api.pool);
  await insertPurchase(api.pool, shop, shop.products.oneTime);
});
afterAll(async () => {
  await api?.stop();
  await replica?.close();
});

test('lists are read from the replica, and keys are checked against the primary', async () => {
  const { status, body } = await api.request('GET', '/v1/payments', { apiKey: shop.apiKey });
  // This replica has received nothing yet.
  expect([status, body.data]).toEqual([200, []]);
});
