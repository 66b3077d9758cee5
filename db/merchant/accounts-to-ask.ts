/** Rail accounts of which their rail is asked whether it still accepts them. */
import { z } from 'zod';
import { type Pool, sql } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from './rail-account-row.ts';

const ASKED_EVERY = '5 minutes';

const accountToAsk = z.object({ ...railAccountRow, payment_id: z.string(), rail_order_id: z.string() });

/**
 * Marks them as asked. Those whose attempts were answered in these minutes are left out, and so are those without a
 * payment: a look-up needs one that the rail has.
 */
export function accountsToAsk(pool: Pool, limit: number) {
  return pool.any(sql.type(accountToAsk)`
    with due as materialized (
      select a.id, p.id as payment_id, p.rail_order_id
      from rail_accounts a
      join merchants m on m.id = a.merchant_id and m.status = 'active'
      cross join lateral (
        select id, rail_order_id from payments
        where rail_account_id = a.id and rail_order_id is not null order by rail_order_id desc limit 1
      ) p
      where a.status = 'active'
        and coalesce(a.asked_at, '-infinity') < service_clock() - ${ASKED_EVERY}::interval
        and coalesce((
          select at from rail_answers where rail_account_id = a.id and is_attempt order by id desc limit 1
        ), '-infinity') < service_clock() - ${ASKED_EVERY}::interval
      order by a.asked_at nulls first limit ${limit}
    )
    update rail_accounts a set asked_at = service_clock() from due where a.id = due.id
    returning ${railAccountColumns}, due.payment_id, due.rail_order_id`);
}
