import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { SettingsChanges } from '../../../contract/merchant/settings.ts';
import { type Pool, sql, type Transaction } from '../../../db/core/pool.ts';
import { issueInvoice } from '../../../db/invoice/invoices.ts';
import { listInvoices } from '../../../db/invoice/list-invoices.ts';
import { updateSettings } from '../../../db/merchant/settings.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const DRAFT = {
  orderId: null,
  subscriptionId: null,
  period: null,
  status: 'created',
  amount: 900,
  amountDue: 0,
  currency: 'EUR',
  lineItems: [],
  supplier: {},
} as const;

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function issueAt(merchant: Shop, issuedAt: string) {
  const { id: checkoutId } = await insertSession(pool, merchant, merchant.products.oneTime);
  return pool.transaction(async (tx) => {
    const customerId = await tx.oneFirst(sql.type(z.object({ customer_id: z.string() }))`
      select customer_id from checkouts where id = ${checkoutId}
    `);
    const { number } = await issueInvoice(tx, { ...DRAFT, scope: merchant, customerId, issuedAt });
    return number;
  });
}

async function withSettings(settings: SettingsChanges): Promise<Shop> {
  const merchant = await insertShop(pool);
  await updateSettings(pool, merchant.merchantId, settings, { actor: 'test' });
  return merchant;
}

test('an invoice is numbered in the current year of the merchant’s time zone', async () => {
  const merchant = await withSettings({ time_zone: 'Europe/Berlin' });
  expect(await issueAt(merchant, '2026-12-31T22:59:59Z')).toBe('2026-000001');
  expect(await issueAt(merchant, '2026-12-31T23:00:00Z')).toBe('2027-000001');
  const issuedOn = async () =>
    (await listInvoices('https://pay.example')(pool, merchant, { after: null, limit: 9 })).map(
      (row) => row.issued_on,
    );
  expect(await issuedOn()).toEqual(['2027-01-01', '2026-12-31']);
  await updateSettings(pool, merchant.merchantId, { time_zone: 'UTC' }, { actor: 'test' });
  expect(await issuedOn()).toEqual(['2027-01-01', '2026-12-31']);
});

test('changing the prefix or first number never makes a series repeat a number or go back', async () => {
  const merchant = await withSettings({ invoice_prefix: 'RE-', invoice_first_number: 500 });
  const change = (settings: SettingsChanges) =>
    updateSettings(pool, merchant.merchantId, settings, { actor: 'test' });
  const numbers = [await issueAt(merchant, '2026-05-01T00:00:00Z')];
  await change({ invoice_first_number: 1 });
  numbers.push(await issueAt(merchant, '2026-05-02T00:00:00Z'));
  await change({ invoice_prefix: '' });
  numbers.push(await issueAt(merchant, '2026-05-03T00:00:00Z'));
  await change({ invoice_prefix: 'RE-', invoice_first_number: 700 });
  numbers.push(
    await issueAt(merchant, '2026-05-04T00:00:00Z'),
    await issueAt(merchant, '2027-05-04T00:00:00Z'),
  );
  expect(numbers).toEqual([
    'RE-2026-000500',
    'RE-2026-000501',
    '2026-000502',
    'RE-2026-000700',
    'RE-2027-000700',
  ]);
});

test("an invoice issued at the end of New Year's Eve takes its number and dates from the same instant", async () => {
  const { id: checkoutId } = await insertSession(pool, shop, shop.products.oneTime);
  const issued = await pool.transaction(async (tx) => {
    const customerId = await tx.oneFirst(sql.type(z.object({ customer_id: z.string() }))`
      select customer_id from checkouts where id = ${checkoutId}
    `);
    await letEveryLookAtTheClockTakeASecond(tx, '2026-12-31T23:59:59.500Z');
    const { id } = await issueInvoice(tx, { ...DRAFT, scope: shop, customerId });
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

/** Simulates another invoice of the merchant that holds the counter's lock. */
async function letEveryLookAtTheClockTakeASecond(tx: Transaction, from: string): Promise<void> {
  await tx.query(sql.unsafe`create sequence looks minvalue 0 start 0`);
  await tx.query(sql.unsafe`create table slow_clock (start timestamptz not null)`);
  await tx.query(sql.unsafe`insert into slow_clock values (${from})`);
  await tx.query(sql.unsafe`
    create or replace function service_clock() returns timestamptz language sql volatile as
    'select start + nextval(''looks'') * interval ''1 second'' from slow_clock'
  `);
}
