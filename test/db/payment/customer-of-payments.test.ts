/**
 * The buyer on the rows of payments: of those before the column, and of those that the previous release writes after
 * it.
 */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../../db/core/migrate.ts';
import { eventually } from '../../support/core/eventually.ts';
import { migrateBefore } from '../../support/db/migrate-before.ts';
import { createEmptyDatabase } from '../../support/db/postgres.ts';

const MERCHANT = 'ap_mer_1';

test('each payment names its buyer, even one locked by a purchase and one made by the previous release', async () => {
  const database = await createEmptyDatabase();
  await migrateBefore(database.url, '0080');
  const [client, purchase] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([client.connect(), purchase.connect()]);
  try {
    await client.query(`
      insert into merchants (id, name) values ('${MERCHANT}', 'Shop');
      insert into customers (id, merchant_id, environment)
      select 'ap_cus_' || n, '${MERCHANT}', 'sandbox' from generate_series(0, 6) n`);
    await sell(client, 1, 2_500);
    await client.query(`
      insert into payments (id, merchant_id, environment, attempt_no, claim_id, amount, currency)
      values ('ap_pay_without_order', '${MERCHANT}', 'sandbox', 1, 'manual', 100, 'EUR')`);

    await migrateBefore(database.url, '0081');
    await purchase.query(`begin; select from payments where id = 'ap_pay_1500' for update`);
    const migrated = migrate(database.url);
    await eventually(async () => expect(await filled(client)).toBe(2_499));
    await sell(client, 2_501, 2_501);
    await purchase.query('commit');
    expect(await migrated).toContain('0081_fill_customer_of_payments');
    await sell(client, 2_502, 2_502);

    const { rows } = await client.query(`
      select p.id, p.customer_id is not distinct from o.customer_id as same
      from payments p left join orders o on o.id = p.order_id`);
    expect(rows).toHaveLength(2_503);
    expect(rows.filter(({ same }) => !same)).toEqual([]);
    const index = await client.query(`
      select indisvalid from pg_index where indexrelid = 'payments_of_customer'::regclass`);
    expect(index.rows).toEqual([{ indisvalid: true }]);
    expect(await migrate(database.url)).toEqual([]);
  } finally {
    await Promise.all([client.end(), purchase.end()]);
    await database.drop();
  }
}, 60_000);

/** Orders and their payments, as the previous release inserts them. */
async function sell(client: pg.Client, first: number, last: number): Promise<void> {
  await client.query(`
    insert into orders (id, merchant_id, environment, customer_id, source, line_items, amount, currency)
    select 'ap_ord_' || n, '${MERCHANT}', 'sandbox', 'ap_cus_' || n % 7, 'manual', '[]', 1900, 'EUR'
    from generate_series(${first}::integer, ${last}) n;
    insert into payments (id, merchant_id, environment, order_id, attempt_no, claim_id, amount, currency)
    select 'ap_pay_' || n, '${MERCHANT}', 'sandbox', 'ap_ord_' || n, 1, 'claim ' || n, 1900, 'EUR'
    from generate_series(${first}::integer, ${last}) n`);
}

async function filled(client: pg.Client): Promise<number> {
  const { rows } = await client.query(`
    select count(customer_id)::integer as filled from payments`);
  return rows[0].filled;
}
