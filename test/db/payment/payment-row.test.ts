import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { lockPayment } from '../../../db/payment/payment-row.ts';
import { insertPurchase, insertShop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let db: OpenTestDatabase;
beforeAll(async () => {
  db = await openTestDatabase();
});
afterAll(() => db?.close());

test('a payment locked for a status change cannot be locked by another transaction', async () => {
  const shop = await insertShop(db.pool);
  const { paymentId } = await insertPurchase(db.pool, shop, shop.products.oneTime);
  const free = sql.unsafe`select from payments where id = ${paymentId} for update skip locked`;
  const [locked, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const move = db.pool.transaction(async (tx) => {
    expect(await lockPayment(tx, paymentId, null)).toMatchObject({ id: paymentId });
    locked.resolve();
    await seen.promise;
  });
  await Promise.race([locked.promise, move]);
  expect(await db.pool.any(free)).toEqual([]);
  seen.resolve();
  await move;
  expect(await db.pool.any(free)).toHaveLength(1);
});
