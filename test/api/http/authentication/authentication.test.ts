/** API keys: which are accepted, and how others are rejected, on every route that takes a key. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../../../contract/merchant/api-key.ts';
import { sql } from '../../../../db/core/pool.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../../support/api/api.ts';
import { insertApiKey, insertShop, type Shop } from '../../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

const get = (authorization: string | undefined, query = '') =>
  api.request('GET', `/v1/products${query}`, {
    ...(authorization !== undefined && { headers: { authorization } }),
  });

const ROUTES = [
  ['POST', '/v1/checkouts'],
  ['GET', '/v1/products'],
  ['GET', '/v1/orders'],
  ['GET', '/v1/payments'],
  ['GET', '/v1/subscriptions'],
  ['GET', '/v1/subscriptions/current'],
  ['GET', '/v1/invoices'],
  ['GET', '/v1/billing/dashboard'],
] as const;

describe('401', () => {
  test.each(ROUTES)('service_api_key_required: %s %s without Authorization', async (method, path) => {
    const answer = await api.request(method, path);
    expectRefusal(answer, 401, 'service_api_key_required');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test.each(ROUTES)('api_key_invalid: %s %s with an unknown key', async (method, path) => {
    expectRefusal(
      await api.request(method, path, { apiKey: createApiKey('sandbox') }),
      401,
      'api_key_invalid',
    );
  });

  test.each<[string, (key: string) => string]>([
    ['another scheme', (key) => `Basic ${key}`],
    ['no scheme', (key) => key],
    ['no key', () => 'Bearer'],
    ['two keys', (key) => `Bearer ${key} ${key}`],
    ['a mistyped character', (key) => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`],
    ["the other environment's prefix", (key) => `Bearer ${key.replace('ap_test_', 'ap_live_')}`],
    ['upper case', (key) => `Bearer ${key.toUpperCase()}`],
  ])('api_key_invalid: %s', async (_name, authorization) => {
    expectRefusal(await get(authorization(shop.apiKey)), 401, 'api_key_invalid');
  });

  test('api_key_invalid: a revoked key, from the next request on', async () => {
    const key = await insertApiKey(api.pool, shop);
    expect((await get(`Bearer ${key}`)).status).toBe(200);
    await api.pool.query(
      sql.unsafe`update api_keys set revoked_at = service_clock() where last4 = ${key.slice(-4)}`,
    );
    expectRefusal(await get(`Bearer ${key}`), 401, 'api_key_invalid');
  });

  test("api_key_invalid: a key past its rotation's overlap", async () => {
    const key = await insertApiKey(api.pool, shop);
    await api.pool.query(
      sql.unsafe`update api_keys set expires_at = service_clock() where last4 = ${key.slice(-4)}`,
    );
    expectRefusal(await get(`Bearer ${key}`), 401, 'api_key_invalid');
  });
});

describe('403', () => {
  test('merchant_inactive: the key of an inactive merchant', async () => {
    const inactive = await insertShop(api.pool, { status: 'inactive' });
    expectRefusal(await get(`Bearer ${inactive.apiKey}`), 403, 'merchant_inactive');
  });

  test.each(['?merchantId=ap_mer_other', '?merchantId=', '?merchantId=a&merchantId=b'])(
    'merchant_scope_mismatch: %s',
    async (query) => {
      expectRefusal(await get(`Bearer ${shop.apiKey}`, query), 403, 'merchant_scope_mismatch');
    },
  );
});

describe('a valid key', () => {
  test.each(['Bearer', 'bearer', 'BEARER'])('is accepted with the scheme written %s', async (scheme) => {
    expect((await get(`${scheme} ${shop.apiKey}`)).status).toBe(200);
  });

  test('may name its own merchant in the query', async () => {
    expect((await get(`Bearer ${shop.apiKey}`, `?merchantId=${shop.merchantId}`)).status).toBe(200);
  });

  test('is stored as an HMAC only', async () => {
    const rows = await api.pool.any(sql.unsafe`select api_keys::text as row from api_keys`);
    expect(JSON.stringify(rows)).not.toContain(shop.apiKey.slice(8, 40));
  });
});
