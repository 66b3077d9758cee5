/** Alerts about an account that the rail rejects. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { disableRefusedAccount } from '../../../db/merchant/rail-account-trouble.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  shop = await insertShop(database.pool);
});
afterAll(() => database?.close());

test('an account that is rejected again raises another alert, even after retention has deleted the first audit row', async () => {
  const { pool } = database;
  const refuse = async () => {
    await pool.query(sql.unsafe`update rail_accounts set status = 'active' where id = ${shop.railAccountId}`);
    await disableRefusedAccount(pool, shop.railAccountId);
    return pool.oneFirst(sql.type(z.object({ n: z.number() }))`
      select count(*)::integer as n from operator_alerts
      where code = 'rail_account_disabled' and reference = ${shop.railAccountId}`);
  };
  expect([await refuse(), await refuse()]).toEqual([1, 2]);
  await pool.query(sql.unsafe`
    delete from audit_log where id = (
      select id from audit_log where subject_id = ${shop.railAccountId} order by id limit 1)`);
  expect(await refuse()).toBe(3);
});
