/** Gives some of the stack's merchants payments, so that each has a list of a given length. */
import pg from 'pg';
import type { Place } from '../core/place.ts';

export interface Merchant {
  readonly id: string;
  readonly apiKey: string;
  readonly rows: number;
}

/** @param rows of the longest list; the other two have 100 and 10,000 */
export async function fillLists({ dev, databases }: Place, rows: number): Promise<readonly Merchant[]> {
  const { noSubscriptions, second } = dev.others;
  const merchants = [
    { id: noSubscriptions.id, apiKey: noSubscriptions.apiKey, rows: 100 },
    { id: second.id, apiKey: second.apiKey, rows: 10_000 },
    { id: dev.merchant.id, apiKey: dev.merchant.apiKey, rows },
  ];
  const client = new pg.Client({ connectionString: databases.service });
  await client.connect();
  for (const { id, rows: count } of merchants) {
    await client.query(
      `insert into payments (merchant_id, environment, attempt_no, claim_id, rail_account_id, rail, rail_order_id,
         payment_method, status, amount, currency)
       select $1, 'sandbox', 1, 'bench-' || $1 || n, a.id, a.rail, 'pi_' || n,
         '{"type": "card", "brand": "visa", "last4": "4242"}', 'succeeded', 1900, 'EUR'
       from generate_series(1, $2::integer) n,
         (select id, rail from rail_accounts where merchant_id = $1 and environment = 'sandbox' limit 1) a`,
      [id, count],
    );
  }
  await client.query('vacuum analyze payments');
  await client.end();
  return merchants;
}
