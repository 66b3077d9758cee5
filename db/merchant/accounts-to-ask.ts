/** Rail accounts due for the check that their rail still accepts them. */
import { z } from 'zod';
import { type Pool, sql } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from './rail-account-row.ts';

const ASKED_EVERY = '3 minutes';
const SANDBOX_WAITS = '10 minutes';

/**
 * Returns the accounts and marks them as asked. Leaves out accounts with an attempt answered in the last minutes. Above
 * the limit, sandbox accounts wait longer, because they lose no sales.
 */
export function accountsToAsk(pool: Pool, limit: number) {
  return pool.any(sql.type(z.object(railAccountRow))`
    with due as materialized (
      select a.id from rail_accounts a
      join merchants m on m.id = a.merchant_id and m.status = 'active'
      where a.status = 'active'
        and coalesce(a.asked_at, '-infinity') < service_clock() - ${ASKED_EVERY}::interval
        and coalesce((
          select at from rail_answers where rail_account_id = a.id and is_attempt order by id desc limit 1
        ), '-infinity') < service_clock() - ${ASKED_EVERY}::interval
      order by coalesce(a.asked_at, '-infinity')
        + case a.environment when 'sandbox' then ${SANDBOX_WAITS} else '0' end::interval limit ${limit}
    )
    update rail_accounts a set asked_at = service_clock() from due where a.id = due.id
    returning ${railAccountColumns}`);
}
