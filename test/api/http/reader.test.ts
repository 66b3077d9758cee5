/** Lists, searches and exports are read from the replicas of their environment. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Environment } from '../../../domain/core/environment.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { asPerson, testPeopleGate } from '../../support/api/people.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

/** A replica that has not received any rows yet. */
let replica: OpenTestDatabase;
let api: TestApi;
const shops = {} as Record<Environment, Shop>;

beforeAll(async () => {
  replica = await openTestDatabase();
  api = await startTestApi({ readerPool: replica.pool, merchantGate: testPeopleGate });
  for (const environment of ['production', 'sandbox'] as const) {
    const shop = await insertShop(api.pool, {}, environment);
    await insertPurchase(api.pool, shop, shop.products.oneTime);
    shops[environment] = shop;
  }
});
afterAll(async () => {
  await api?.stop();
  await replica?.close();
});

const LISTS = ['payments', 'products', 'search/payments', 'search/products', 'search/checkouts'];
const EXPORTS = ['exports/payments', 'exports/checkouts'];

/** @returns how many rows of this environment a person sees */
async function shown(environment: Environment, path: string): Promise<number> {
  const { merchantId } = shops[environment];
  const of = path.endsWith('products') ? '' : `?environment=${environment}`;
  const { status, body } = await api.request('GET', `/v1/merchants/${merchantId}/${path}${of}`, {
    headers: asPerson(merchantId),
  });
  expect(status).toBe(200);
  return typeof body === 'string' ? body.trim().split('\r\n').length - 1 : body.data.length;
}

test.each([...LISTS, ...EXPORTS])('live data is read from the replica: %s', async (path) => {
  expect(await shown('production', path)).toBe(0);
});

test('keys are checked against the primary', async () => {
  const { status, body } = await api.request('GET', '/v1/payments', { apiKey: shops.production.apiKey });
  expect([status, body.data]).toEqual([200, []]);
});

test.each(['payments', 'search/payments', 'exports/payments'])(
  'the sandbox takes no connections from the live replica: %s',
  async (path) => {
    expect(await shown('sandbox', path)).toBe(1);
  },
);
