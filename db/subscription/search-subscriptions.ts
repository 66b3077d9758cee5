/** Subscriptions of one environment, newest first, with their customer and next charge. */
import { type FoundSubscription, foundSubscription } from '../../contract/subscription/search.ts';
import { customersNamed, type ListSearch } from '../core/list-search.ts';
import { type Db, sql } from '../core/pool.ts';
import { selectSubscriptions } from './subscriptions.ts';

export function searchSubscriptions(
  db: Db,
  { scope, term, status, after, limit }: ListSearch,
): Promise<readonly FoundSubscription[]> {
  return db.any(sql.type(foundSubscription)`
    select found.*, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as customer,
      case
        when row.status = 'past_due' then row.charge_at
        when row.status in ('active', 'trialing') and not row.cancel_at_period_end
          then coalesce(row.charge_at, row.current_period_end)
      end as next_charge_at,
      subscription_clock(row.id) as clock
    from (
      ${selectSubscriptions}
      where s.merchant_id = ${scope.merchantId} and s.environment = ${scope.environment}
        ${term === null ? sql.fragment`` : sql.fragment`and s.id in (${matching(scope, term)})`}
        ${status === null ? sql.fragment`` : sql.fragment`and s.status = ${status}`}
        ${after === null ? sql.fragment`` : sql.fragment`and s.id < ${after}`}
      order by s.id desc
      limit ${limit}
    ) found
    join subscriptions row on row.id = found.id
    join customers u on u.id = found.customer_id
    order by found.id desc`);
}

function matching(scope: ListSearch['scope'], term: NonNullable<ListSearch['term']>) {
  const ofCustomers = sql.fragment`
    select id from subscriptions where customer_id in (${customersNamed(scope, term)})`;
  if (term.kind !== 'id') return ofCustomers;
  return sql.fragment`
    select id from subscriptions where id = ${term.id}
    union all select id from subscriptions where checkout_id = ${term.id}
    union all ${ofCustomers}`;
}
