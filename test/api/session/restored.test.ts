/** The API while a restored database is compared with the rail (rule 29). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fenceIfRestored, liftFence, readLedgerCopy } from '../../../db/core/ledger-copy.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
  await fenceIfRestored(api.pool, { sweepNumber: null, announced: true });
});
afterAll(() => api?.stop());

const checkout = () =>
  api.request('POST', '/v1/checkouts', {
    apiKey: shop.apiKey,
    body: { productId: shop.products.oneTime, externalCustomerId: 'customer-1' },
  });

test('503 checkout_failed: new sessions, with the reason and when to try again', async () => {
  const answer = await checkout();
  expectRefusal(answer, 503, 'checkout_failed');
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(answer.body.message).toContain('restored from a backup');
});

test('reading goes on', async () => {
  const answer = await api.request('GET', '/v1/payments', { apiKey: shop.apiKey });
  expect(answer.status).toBe(200);
});

test('201 after the fence is lifted', async () => {
  await liftFence(api.pool, (await readLedgerCopy(api.pool)).epoch);
  expect((await checkout()).status).toBe(201);
});
