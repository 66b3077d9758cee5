/** The processor's ids of an attempt are stored in time, once, and never change (rule 3). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { paymentAtRailOf } from '../../../db/payment/payment-at-rail.ts';
import { beginAuthorize, storeRailId } from '../../../db/payment/rail-calls.ts';
import { answer, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const CUSTOMER = { railCustomer: 'cus_1' };
const ATTEMPT = { railReference: 'pi_1' };

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function begun() {
  const { id: checkoutId } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, checkoutId);
  await beginAuthorize(pool, paymentId, 20);
  return { checkoutId, paymentId };
}

test('an attempt stores the customer’s id and then its own id at the processor, for later look-ups', async () => {
  const { paymentId } = await begun();
  expect(await paymentAtRailOf(pool, paymentId)).toMatchObject({
    rail_customer_id: null,
    rail_order_id: null,
  });
  await storeRailId(pool, paymentId, CUSTOMER);
  expect(await paymentAtRailOf(pool, paymentId)).toMatchObject({
    rail_customer_id: 'cus_1',
    rail_order_id: null,
  });
  await storeRailId(pool, paymentId, ATTEMPT);
  expect(await paymentAtRailOf(pool, paymentId)).toMatchObject({
    rail_customer_id: 'cus_1',
    rail_order_id: 'pi_1',
  });
});

test.each([CUSTOMER, ATTEMPT])('an attempt accepts %j again, but no different id', async (id) => {
  const { paymentId } = await begun();
  await storeRailId(pool, paymentId, id);
  await storeRailId(pool, paymentId, id);
  const other = 'railCustomer' in id ? { railCustomer: 'cus_2' } : { railReference: 'pi_2' };
  await expect(storeRailId(pool, paymentId, other)).rejects.toThrow('deadline for charging has passed');
});

test.each([CUSTOMER, ATTEMPT])("an attempt refuses %j after the call's deadline", async (id) => {
  const { paymentId } = await begun();
  await pool.query(sql.unsafe`update payments set call_deadline = service_clock() where id = ${paymentId}`);
  await expect(storeRailId(pool, paymentId, id)).rejects.toThrow('deadline for charging has passed');
});

test.each([CUSTOMER, ATTEMPT])('an attempt refuses %j once it has an outcome', async (id) => {
  const { checkoutId, paymentId } = await begun();
  await answer(pool, checkoutId, paymentId, DECLINED);
  await expect(storeRailId(pool, paymentId, id)).rejects.toThrow('deadline for charging has passed');
});

test('an attempt whose call has not begun stores no id', async () => {
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, id);
  await expect(storeRailId(pool, paymentId, CUSTOMER)).rejects.toThrow('deadline for charging has passed');
});
