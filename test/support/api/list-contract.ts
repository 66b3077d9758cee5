/** The common contract of list routes; each route's test checks the shape of its resource. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import type { Environment } from '../../../domain/core/environment.ts';
import {
  insertApiKey,
  insertPurchase,
  insertRailAccount,
  insertShop,
  type Purchase,
  type Shop,
} from '../db/fixtures.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from './api.ts';

export interface ListUnderTest {
  readonly path: string;
  readonly resource: z.ZodObject;
  /** Returns the id under which the list shows a purchase. */
  readonly idOf: (purchase: Purchase) => string | null;
  /** The product that is bought: `oneTime` unless the list needs a subscription. */
  readonly recurring?: boolean;
}

export interface ListFixture {
  readonly api: TestApi;
  readonly shop: Shop;
  /** Oldest first. */
  readonly purchases: readonly Purchase[];
}

/** Declares the common tests; the returned function passes their rows to the route's own tests. */
export function describeList({ path, resource, idOf, recurring = false }: ListUnderTest): () => ListFixture {
  let api: TestApi;
  let shop: Shop;
  let other: Shop;
  const purchases: Purchase[] = [];
  const get = (apiKey: string, query = '') => api.request('GET', path + query, { apiKey });
  const productOf = (seller: Shop) => (recurring ? seller.products.recurring : seller.products.oneTime);

  beforeAll(async () => {
    api = await startTestApi();
    shop = await insertShop(api.pool);
    other = await insertShop(api.pool);
    for (let bought = 0; bought < 3; bought++) {
      purchases.push(await insertPurchase(api.pool, shop, productOf(shop), { recurring }));
      await insertPurchase(api.pool, other, productOf(other), { recurring });
    }
  });
  afterAll(() => api?.stop());

  describe(`GET ${path}`, () => {
    test('200: lists every row, newest first, matching the contract', async () => {
      const answer = await get(shop.apiKey);
      expect(answer.status).toBe(200);
      expect(Object.keys(answer.body)).toEqual(['data', 'request_id']);
      expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(purchases.map(idOf).reverse());
      for (const each of answer.body.data) expect(resource.strict().parse(each)).toEqual(each);
      expectMarks(answer);
    });

    test('200: query parameters do not narrow the list', async () => {
      const answer = await get(shop.apiKey, '?limit=1&status=failed&starting_after=x&page=2');
      expect(answer.body.data).toHaveLength(3);
    });

    test("200: contains nothing of another merchant or the merchant's other environment", async () => {
      const environment: Environment = 'production';
      const live = { merchantId: shop.merchantId, environment };
      const apiKey = await insertApiKey(api.pool, live);
      expect((await get(apiKey)).body.data).toEqual([]);
      await insertRailAccount(api.pool, live);
      const bought = await insertPurchase(api.pool, live, productOf(shop), { recurring });
      expect((await get(apiKey)).body.data.map(({ id }: { id: string }) => id)).toEqual([idOf(bought)]);
      expect((await get(shop.apiKey)).body.data).toHaveLength(3);
      expect((await get(other.apiKey)).body.data).toHaveLength(3);
    });

    test('200: HEAD returns the headers without a body', async () => {
      const answer = await api.request('HEAD', path, { apiKey: shop.apiKey });
      expect([answer.status, answer.body]).toEqual([200, '']);
    });

    test('405: an unsupported method', async () => {
      const answer = await api.request('POST', path, { apiKey: shop.apiKey });
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    });
  });

  return () => ({ api, shop, purchases });
}
