import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { insertResolveRequest, lacksSecondPerson } from '../../../db/payment/resolve-requests.ts';
import { insertPurchase, insertShop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let paymentId: string;
let requests: Readonly<Record<'confirmed' | 'alone' | 'ofAnother', string>>;
beforeAll(async () => {
  database = await openTestDatabase();
  const shop = await insertShop(database.pool);
  const { pool } = database;
  const purchase = await insertPurchase(pool, shop, shop.products.oneTime);
  const another = await insertPurchase(pool, shop, shop.products.oneTime);
  ({ paymentId } = purchase);
  requests = {
    confirmed: await insertResolveRequest(pool, purchase.checkoutId, typed, 'person:ben'),
    alone: await insertResolveRequest(pool, purchase.checkoutId, typed),
    ofAnother: await insertResolveRequest(pool, another.checkoutId, typed, 'person:ben'),
  };
});
afterAll(() => database?.close());

const typed = { outcome: 'failed', operator: 'Ada', reason: 'r', evidence: 'e' } as const;

test.each([
  ['typed in Temporal UI, about more than the limit', typed, 1_899, true],
  ['typed in Temporal UI, about the limit', typed, 1_900, false],
  ['typed in Temporal UI, without a limit', typed, null, false],
])('a request that is %s', async (_what, asked, above, lacks) => {
  expect(await lacksSecondPerson(database.pool, asked, paymentId, above)).toBe(lacks);
});

test.each([
  ['confirmed', 0, false],
  ['alone', 0, true],
  ['alone', 1_900, false],
  ['ofAnother', 0, true],
] as const)('a stored request that is %s, above %i', async (which, above, lacks) => {
  const asked = { outcome: 'failed', requestId: requests[which] } as const;
  expect(await lacksSecondPerson(database.pool, asked, paymentId, above)).toBe(lacks);
});
