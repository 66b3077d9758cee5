import { afterAll, beforeAll, test } from '@jest/globals';
import { checkLives } from '../../support/core/subscription-lives.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { checkStoredLives } from '../../support/db/subscription-lives.ts';

let database: OpenTestDatabase;
let shop: Shop;
beforeAll(async () => {
  database = await openTestDatabase();
  shop = await insertShop(database.pool);
});
afterAll(() => database?.close());

test(
  'the invariants of proration hold in 10,000 random subscription histories',
  () => checkLives(10_000),
  300_000,
);

test(
  'charges and invoices match their previews in 300 random subscription histories',
  () => checkStoredLives(database.pool, shop, 300),
  600_000,
);
