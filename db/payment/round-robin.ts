/** Gives look-ups of all environments and merchants a fair order (rule 41). */
import { type Fragment, sql } from '../core/pool.ts';

/**
 * Up to `limit` of the rows, each with `merchant_id`, `environment` and `asked_at`, round-robin by environment, then by
 * merchant: a merchant's second row comes after every other merchant's first. Rows that were never looked up come
 * first, then those looked up longest ago.
 */
export function roundRobin(rows: Fragment, limit: number) {
  return sql.fragment`
    select * from (
      select waiting.*, row_number() over (
        partition by environment, merchant_id order by asked_at nulls first, random()) as turn
      from (${rows}) waiting
    ) each_merchants
    order by row_number() over (partition by environment order by turn, asked_at nulls first, random()), random()
    limit ${limit}`;
}
