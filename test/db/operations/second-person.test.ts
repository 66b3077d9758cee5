import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lacksSecondPerson } from '../../../db/payment/resolve-requests.ts';
import { insertPurchase, insertShop } from '../../support/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/postgres.ts';

let database: OpenTestDatabase;
let paymentId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  const shop = await insertShop(database.pool);
  ({ paymentId } = await insertPurchase(database.pool, shop, shop.products.oneTime));
});
afterAll(() => database?.close());

const typed = { outcome: 'failed', operator: 'Ada', reason: 'r', evidence: 'e' } as const;
const stored = { outcome: 'failed', requestId: 'ap_res_1' } as const;

test.each([
  ['typed in Temporal UI, about more than the limit', typed, 1_899, true],
  ['typed in Temporal UI, about the limit', typed, 1_900, false],
  ['typed in Temporal UI, without a limit', typed, null, false],
  ['stored, and so confirmed before', stored, 0, false],
])('a request that is %s', async (_what, asked, above, lacks) => {
  expect(await lacksSecondPerson(database.pool, asked, paymentId, above)).toBe(lacks);
});
