/** Merchants that lack the sales expected of their sessions. */
import { sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

/**
 * The usual sales rate is that of the sessions up to the last paid one; with fewer sessions than this, the rate is
 * unknown.
 */
const FEWEST = 50;
const JUDGED = 200;
/**
 * The incident begins once this many sales were expected but none was made: by chance, that happens once in 160,000
 * cases.
 */
const EXPECTED = 12;
/** Only this many of the latest sessions count: older sessions say nothing about today's sales. */
const COUNTED = 1_000;

const purchases = sql.fragment`
  select id, state from checkouts
  where merchant_id = shop.merchant_id and environment = shop.environment and subscription_id is null
    and id > 'ap_chk_' and id < 'ap_d'`;

/**
 * Leaves out merchants within half an hour of their last sale, or without a session in the last hour. Reads only a few
 * index entries per merchant, however many sessions there are.
 */
export const SELLS_NOTHING = sql.fragment`
  select shop.merchant_id as id, shop.merchant_id, shop.environment, sold.at as since, null::integer as amount,
    null::text as currency, unpaid.count || ' sessions since the last sale, of which about '
      || round(unpaid.count * usual.share) || ' would usually be paid' as reason,
    null::text as payment_id, null::text as workflow_id
  from (
    select distinct a.merchant_id, a.environment from rail_accounts a
    join merchants m on m.id = a.merchant_id and m.status = 'active'
  ) shop
  cross join lateral (
    select max(finished_at) as at, max(id) as id from (
      select finished_at, id from checkouts
      where merchant_id = shop.merchant_id and environment = shop.environment and state = 'succeeded'
        and subscription_id is null
      order by id desc limit 20
    ) latest
  ) sold
  cross join lateral (
    select count(*) as count, avg((state = 'succeeded')::integer)::float8 as share from (
      ${purchases} and id <= sold.id order by id desc limit ${JUDGED}
    ) before
  ) usual
  cross join lateral (
    select count(*) as count, max(id) as newest from (
      ${purchases} and id > sold.id order by id desc limit ${COUNTED}
    ) since
  ) unpaid
  where sold.at < ${NOW} - interval '30 minutes' and usual.count >= ${FEWEST}
    and unpaid.newest > 'ap_chk_' || lpad(to_hex(unix_ms(${NOW} - interval '1 hour')), 12, '0')
    and unpaid.count * usual.share > ${EXPECTED}`;
