/** Subscriptions of one environment, newest first, with their customer and next charge. */
import type { z } from 'zod';
import { foundSubscription } from '../../../contract/subscription/search.ts';
import type { SearchTerm } from '../../../domain/core/search.ts';
import { among, type ListSearch, newestOfCustomers, within } from '../../core/lists/list-search.ts';
import { type Db, sql } from '../../core/pool.ts';
import { BILLED } from '../core/billed-statuses.ts';
import { continues, endsUncharged, nextPeriodAt } from '../core/next-period.ts';
import { methodIsLost } from '../core/stranded.ts';
import { selectSubscriptions, storedChange } from './find-subscription.ts';

const storedFound = foundSubscription.extend({ change: storedChange.nullable() });
export type StoredFound = z.infer<typeof storedFound>;

export function searchSubscriptions(db: Db, search: ListSearch): Promise<readonly StoredFound[]> {
  const { scope, term, limit } = search;
  return db.any(sql.type(storedFound)`
    select found.*, jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as customer,
      case when s.status in ${BILLED} and not ${endsUncharged} and not ${methodIsLost}
        then coalesce(s.charge_at, case when s.status <> 'past_due' and ${continues}
          then ${nextPeriodAt(sql.fragment`s`)} end) end as next_charge_at,
      subscription_clock(s.id) as clock, s.created_at
    from (
      ${selectSubscriptions}
      where s.id = any (array(
        select row.id from subscriptions row
        where row.merchant_id = ${scope.merchantId} and row.environment = ${scope.environment}
          ${among(['row', 'id'], term && matching(search, term))} ${narrowed(search)}
        order by row.id desc
        limit ${limit}))
    ) found
    join subscriptions s on s.id = found.id
    join customers u on u.id = found.customer_id
    order by found.id desc`);
}

function narrowed(search: ListSearch) {
  const { status } = search;
  return sql.fragment`
    ${status === null ? sql.fragment`` : sql.fragment`and row.status = ${status}`}
    ${within('ap_sub_', search)}`;
}

function matching(search: ListSearch, term: SearchTerm) {
  const { merchantId, environment } = search.scope;
  const ofCustomers = newestOfCustomers('subscriptions', search, term, narrowed(search));
  if (term.kind === 'email') return ofCustomers;
  if (term.kind === 'id') {
    return sql.fragment`
      select ${term.id}::text
      union all select id from subscriptions where checkout_id = ${term.id}
      union all ${ofCustomers}`;
  }
  return sql.fragment`
    select row.id from checkouts c join subscriptions row on row.checkout_id = c.id
    where c.merchant_id = ${merchantId} and c.environment = ${environment} and c.merchant_reference = ${term.text}
    union all ${ofCustomers}`;
}
