/** The schema of 0.1.0 with data in it, upgraded: no row is lost, and no stored value changes. */
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { migrate } from '../../../db/core/migrate.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { loadSubscriptionView } from '../../../db/subscription/subscription-view.ts';
import { insertShop } from '../../support/db/fixtures.ts';
import { migrateBefore } from '../../support/db/migrate-before.ts';
import { createEmptyDatabase } from '../../support/db/postgres.ts';

/** The first migration after 0.1.0. */
const SINCE = '0013';
const TABLES = [
  'merchants',
  'products',
  'prices',
  'rail_accounts',
  'customers',
  'checkouts',
  'orders',
  'payments',
  'subscriptions',
  'invoices',
] as const;

test('an upgrade from 0.1.0 keeps every row and value of a sold subscription, which can be billed on', async () => {
  const database = await createEmptyDatabase();
  await migrateBefore(database.url, SINCE);
  const pool = await openPool({ url: database.url });
  try {
    await sellSubscription(pool);
    const before = await rowsOf(pool);
    const applied = await migrate(database.url);
    expect(applied).toEqual(expect.arrayContaining(['0013_woken_at', '0048_plans']));
    const after = await rowsOf(pool);
    for (const table of TABLES) {
      expect(before[table]?.length).toBeGreaterThan(0);
      expect(after[table]).toEqual(before[table]?.map((row) => expect.objectContaining(row)));
    }
    const { id } = z.object({ id: z.string() }).parse(after.subscriptions?.[0]);
    expect(await loadSubscriptionView(pool, id)).toMatchObject({
      status: 'active',
      next: { action: 'boundary' },
    });
    expect(await migrate(database.url)).toEqual([]);
  } finally {
    await pool.end();
    await database.drop();
  }
});

async function rowsOf(pool: Pool): Promise<Readonly<Record<string, readonly object[]>>> {
  const rows: Record<string, readonly object[]> = {};
  for (const table of TABLES) {
    const name = sql.identifier([table]);
    rows[table] = await pool.anyFirst(sql.type(z.object({ row: z.record(z.string(), z.unknown()) }))`
      select to_jsonb(t) as row from ${name} t order by id
    `);
  }
  return rows;
}

async function sellSubscription(pool: Pool): Promise<void> {
  const { merchantId, environment, railAccountId, products } = await insertShop(pool);
  const scope = sql.fragment`${merchantId}, ${environment}`;
  await pool.query(sql.unsafe`
    with customer as (
      insert into customers (merchant_id, environment, external_customer_id, email)
      values (${scope}, 'customer-1', 'ada@example.eu') returning id
    ), price as (
      select id, product_id, amount, currency from prices where product_id = ${products.recurring}
    ), checkout as (
      insert into checkouts (merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount,
        currency, terms, max_attempts, expires_at, state, finished_at)
      select ${scope}, customer.id, product_id, price.id, ${railAccountId}, amount, currency, '{}', 5,
        service_clock(), 'succeeded', service_clock()
      from customer, price returning *
    ), sold as (
      insert into orders (merchant_id, environment, checkout_id, customer_id, product_id, price_id, source, line_items,
        amount, currency, status)
      select ${scope}, id, customer_id, product_id, price_id, 'checkout', '[]', amount, currency, 'completed'
      from checkout returning id, checkout_id
    ), subscription as (
      insert into subscriptions (merchant_id, environment, checkout_id, customer_id, product_id, price_id,
        rail_account_id, status, amount, currency, billing_anchor, current_period_start, current_period_end,
        next_action_at)
      select ${scope}, id, customer_id, product_id, price_id, rail_account_id, 'active', amount, currency,
        '2026-01-31T10:00:00Z', '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00Z'
      from checkout returning id
    ), invoice as (
      insert into invoices (merchant_id, environment, number, issued_at, supplied_at, customer_id, order_id,
        subscription_id, period_start, period_end, status, amount, amount_due, currency, customer, supplier, line_items)
      select ${scope}, '2026-000001', service_clock(), service_clock(), checkout.customer_id, sold.id,
        subscription.id, '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', 'created', amount, 0, currency, '{}', '{}', '[]'
      from checkout, sold, subscription returning id
    )
    insert into payments (merchant_id, environment, order_id, checkout_id, invoice_id, attempt_no, claim_id,
      rail_account_id, rail, rail_order_id, status, amount, currency)
    select ${scope}, sold.id, checkout.id, invoice.id, 1, 'claim-1', ${railAccountId}, 'sandbox', 'ch_1', 'succeeded',
      amount, currency
    from checkout, sold, invoice
  `);
}
