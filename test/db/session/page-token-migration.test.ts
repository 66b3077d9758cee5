/** Sessions that were open when their tokens moved from plain text to a hash. */
import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { migrate } from '../../../db/core/migrate.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { findSession } from '../../../db/session/find-session.ts';
import { insertShop } from '../../support/db/fixtures.ts';
import { migrateBefore } from '../../support/db/migrate-before.ts';
import { createEmptyDatabase } from '../../support/db/postgres.ts';

test('are found by the token that the previous release made', async () => {
  const database = await createEmptyDatabase();
  await migrateBefore(database.url, '0019');
  const pool = await openPool({ url: database.url });
  const { id, session_id: token } = await insertPlainSession(pool);
  await migrate(database.url);
  expect(await findSession(pool, token)).toMatchObject({ id });
  await pool.end();
  await database.drop();
});

async function insertPlainSession(pool: Pool): Promise<{ id: string; session_id: string }> {
  const { merchantId, environment, railAccountId, products } = await insertShop(pool);
  const terms = {
    product: {
      id: products.oneTime,
      name: 'Coffee',
      description: null,
      external_reference: null,
      offering_id: null,
    },
    price: {
      id: 'p',
      amount: 1900,
      currency: 'EUR',
      tax_rate: 19,
      billing_mode: 'one_time',
      recurring: null,
    },
    merchant: { name: 'Shop', branding: {}, legal_identity: {} },
  };
  return pool.one(sql.type(z.object({ id: z.string(), session_id: z.string() }))`
    with customer as (
      insert into customers (merchant_id, environment) values (${merchantId}, ${environment}) returning id
    )
    insert into checkouts (merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount,
      currency, terms, max_attempts, expires_at)
    select ${merchantId}, ${environment}, customer.id, p.product_id, p.id, ${railAccountId}, p.amount, p.currency,
      ${sql.jsonb(terms)}, 5, service_clock() + interval '30 minutes'
    from customer, prices p where p.product_id = ${products.oneTime}
    returning id, session_id`);
}
