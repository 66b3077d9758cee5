import { afterAll, beforeAll, test } from '@jest/globals';
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

test('charges and invoices match their previews in random subscription histories', () =>
  checkStoredLives(database.pool, shop, 15));
