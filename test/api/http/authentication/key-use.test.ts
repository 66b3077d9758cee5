/** `last_used_at` of API keys is recorded without a write per request. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../../db/core/pool.ts';
import { startTestApi, type TestApi } from '../../../support/api/api.ts';
import { eventually } from '../../../support/core/eventually.ts';
import { insertShop, type Shop } from '../../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

/** The row's `version`, which changes with every write. */
const key = () =>
  api.pool.one(sql.type(z.object({ last_used_at: z.string().nullable(), version: z.string() }))`
    select last_used_at, ctid::text as version from api_keys where merchant_id = ${shop.merchantId}`);
const list = (apiKey: string) => api.request('GET', '/v1/products', { apiKey });

test('the first use of a key is recorded, and further uses within a minute write nothing', async () => {
  expect((await key()).last_used_at).toBeNull();
  await list(shop.apiKey);
  const used = await eventually(async () => {
    const row = await key();
    expect(row.last_used_at).not.toBeNull();
    return row;
  });
  await Promise.all(Array.from({ length: 20 }, () => list(shop.apiKey)));
  expect(await key()).toEqual(used);
});

test('a rejected key is not recorded as used', async () => {
  const other = await insertShop(api.pool, { status: 'inactive' });
  expect((await list(other.apiKey)).status).toBe(403);
  const used = await api.pool.oneFirst(sql.type(z.object({ used: z.boolean() }))`
    select last_used_at is not null as used from api_keys where merchant_id = ${other.merchantId}`);
  expect(used).toBe(false);
});
