import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql, type Transaction } from '../../../db/core/pool.ts';
import { issueInvoice } from '../../../db/invoice/invoices.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

test("an invoice of New Year's Eve is numbered in the year of its issue", async () => {
  const { id: checkoutId } = await insertSession(pool, shop, shop.products.oneTime);
  const issued = await pool.transaction(async (tx) => {
    const customerId = await tx.oneFirst(sql.type(z.object({ customer_id: z.string() }))`
      select customer_id from checkouts where id = ${checkoutId}
    `);
    await letEveryLookAtTheClockTakeASecond(tx, '2026-12-31T23:59:59.500Z');
    const { id } = await issueInvoice(tx, {
      scope: { merchantId: shop.merchantId, environment: shop.environment },
      customerId,
      orderId: null,
      subscriptionId: null,
      period: null,
      status: 'created',
      amount: 900,
      amountDue: 0,
      currency: 'EUR',
      lineItems: [],
      supplier: {},
    });
    return tx.one(sql.type(z.object({ number: z.string(), issued_at: z.string(), supplied_at: z.string() }))`
      select number, issued_at, supplied_at from invoices where id = ${id}
    `);
  });
  expect(issued).toEqual({
    number: '2026-000001',
    issued_at: '2026-12-31T23:59:59.500Z',
    supplied_at: '2026-12-31T23:59:59.500Z',
  });
});

/** Simulates another invoice of the merchant that holds the counter. */
async function letEveryLookAtTheClockTakeASecond(tx: Transaction, from: string): Promise<void> {
  await tx.query(sql.unsafe`create sequence looks minvalue 0 start 0`);
  await tx.query(sql.unsafe`create table slow_clock (start timestamptz not null)`);
  await tx.query(sql.unsafe`insert into slow_clock values (${from})`);
  await tx.query(sql.unsafe`
    create or replace function service_clock() returns timestamptz language sql volatile as
    'select start + nextval(''looks'') * interval ''1 second'' from slow_clock'
  `);
}
