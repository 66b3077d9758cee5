/** Paginated payment search for a buyer with a third of the shop's orders, and the rows that it reads. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { DatedPosition } from '../../../db/core/lists/dated-search.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { type PaymentSearch, searchPayments } from '../../../db/payment/search-payments.ts';
import { explain } from '../../../tools/bench/plans/explain.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

let database: TestDatabase;
let pool: Pool;
let shop: Shop;
let search: PaymentSearch;
const CUSTOMER = 'ap_cus_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8';
/** Newest first, in page order. */
let expected: readonly string[];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url });
  shop = await insertShop(pool);
  const { merchantId } = shop;
  const scope = sql.fragment`${merchantId}, 'sandbox'`;
  await pool.query(sql.unsafe`
    insert into customers (id, merchant_id, environment, email)
    select id, ${scope}, email from (values (${CUSTOMER}, 'busy@example.com'), ('ap_cus_other', 'other@example.com')) c (id, email)`);
  // The buyer has the 1,499 oldest payments and a hundred of the newest.
  await pool.query(sql.unsafe`
    insert into orders (id, merchant_id, environment, customer_id, product_id, source, line_items, amount, currency)
    select 'ap_ord_' || n, ${scope}, case when (n % 10 = 0 and n > 6000) or n < 1500 then ${CUSTOMER} else 'ap_cus_other' end,
      ${shop.products.oneTime}, 'checkout', '[]', 1900, 'EUR'
    from generate_series(1, 7000) n`);
  await pool.query(sql.unsafe`
    insert into payments (id, merchant_id, environment, order_id, customer_id, attempt_no, claim_id, status, amount, currency,
      created_at)
    select 'ap_pay_' || n, ${scope}, 'ap_ord_' || n,
      case when (n % 10 = 0 and n > 6000) or n < 1500 then ${CUSTOMER} else 'ap_cus_other' end, 1, 'claim ' || n, case when n % 700 = 0 then 'failed' else 'succeeded' end,
      1900, 'EUR', service_clock() - (7001 - n) * interval '1 minute'
    from generate_series(1, 7000) n`);
  await pool.query(sql.unsafe`analyze`);
  search = {
    scope: { merchantId, environment: 'sandbox' },
    status: null,
    from: null,
    to: null,
    limit: 150,
    term: { kind: 'id', prefix: 'ap_cus', id: CUSTOMER },
  };
  const numbers = Array.from({ length: 7_000 }, (_each, at) => 7_000 - at);
  expected = numbers.filter((n) => (n % 10 === 0 && n > 6_000) || n < 1_500).map((n) => `ap_pay_${n}`);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

test('a busy buyer’s payments are paginated without gaps', async () => {
  const found: string[] = [];
  let after: DatedPosition | null = null;
  for (;;) {
    const page = await searchPayments(pool, search, after);
    found.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (!last || page.length < search.limit) break;
    after = [Date.parse(last.created_at), last.id];
  }
  expect(found).toEqual(expected);
});

test('a rare status is found beyond the buyer’s newest payments', async () => {
  const page = await searchPayments(pool, { ...search, status: 'failed' }, null);
  expect(page.map(({ id }) => id)).toEqual([7_000, 6_300, 1_400, 700].map((n) => `ap_pay_${n}`));
});

test.each([null, 'succeeded', 'failed'] as const)(
  'a busy buyer’s first page with status %s reads only the rows it shows',
  async (status) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // In a table this small, a scan costs less than the index.
    await client.query('set enable_seqscan = off');
    const page = { ...search, status, limit: 26 };
    const { rowsRead } = await explain(client, (db) => searchPayments(db, page, null));
    await client.end();
    // 26 payments of each of two statuses, with their orders and customers.
    expect(rowsRead).toBeLessThan(250);
  },
);
