/** Checkouts of one environment, newest first; method changes are left out. */
import { type FoundCheckout, foundCheckout } from '../../../contract/session/search.ts';
import type { SearchTerm } from '../../../domain/core/search.ts';
import { SESSION_STATES } from '../../../domain/session/session.ts';
import {
  among,
  hasPeriod,
  type ListSearch,
  newestOfAmount,
  newestOfCustomers,
  newestWhere,
  within,
} from '../../core/lists/list-search.ts';
import { type Db, type Fragment, sql } from '../../core/pool.ts';
import { worstDisputeOf } from '../../payment/disputed-part.ts';
import { emailOfBuyer, nameOfBuyer } from '../core/buyer-details.ts';

export function searchSessions(db: Db, search: ListSearch): Promise<readonly FoundCheckout[]> {
  const { scope, term, status, limit } = search;
  const ofState =
    !hasPeriod(search) && (status === 'succeeded' || status === 'failed') ? newestOfState(search) : null;
  return db.any(sql.type(foundCheckout)`
    select c.id, c.state, c.failure_reason, c.amount, c.quantity, c.currency, c.product_id, c.customer_id,
      latest.id as payment_id, ${worstDisputeOf(sql.fragment`latest.id`)} as payment_dispute_status,
      c.merchant_reference, c.created_at, c.expires_at, c.finished_at,
      c.terms #>> '{product,name}' as product_name,
      jsonb_build_object('id', u.id, 'email', ${emailOfBuyer}, 'name', ${nameOfBuyer}) as customer
    from (
      select row.* from checkouts row
      where row.merchant_id = ${scope.merchantId} and row.environment = ${scope.environment}
        ${among(['row', 'id'], term ? matching(search, term) : ofState)} ${narrowed(search)}
      order by row.id desc
      limit ${limit}
    ) c join customers u on u.id = c.customer_id
    left join lateral (
      select id from payments where checkout_id = c.id order by attempt_no desc limit 1
    ) latest on true
    order by c.id desc`);
}

function narrowed(search: ListSearch) {
  const { status } = search;
  return sql.fragment`
    and row.subscription_id is null
    ${status === null ? sql.fragment`` : sql.fragment`and row.state = ${status}`}
    ${within('ap_chk_', search)}`;
}

/**
 * Selects the newest ids in a final state from the partial index of ended sessions: for a rare state, the planner would
 * otherwise scan all sessions. Sessions that have not ended are few.
 */
function newestOfState({ scope, status, after, limit }: ListSearch) {
  const key = sql.fragment`row.merchant_id, row.environment, row.state`;
  const place = sql.fragment`${scope.merchantId}, ${scope.environment}, ${status}`;
  return sql.fragment`
    select newest.id
    from (
      select row.id, ${key} from checkouts row
      where row.state in ('succeeded', 'failed') and row.subscription_id is null
        and ${after === null ? sql.fragment`(${key}) <= (${place})` : sql.fragment`(${key}, row.id) < (${place}, ${after})`}
      order by row.merchant_id desc, row.environment desc, row.state desc, row.id desc
      limit ${limit}
    ) newest (id, merchant_id, environment, state)
    where newest.merchant_id = ${scope.merchantId} and newest.environment = ${scope.environment}
      and newest.state = ${status}`;
}

function matching(search: ListSearch, term: SearchTerm) {
  const ofCustomers = newestOfCustomers('checkouts', search, term, narrowed(search));
  if (term.kind === 'email') return ofCustomers;
  if (term.kind === 'id') {
    return sql.fragment`
      select ${term.id}::text
      union all select checkout_id from payments where id = ${term.id}
      union all ${ofCustomers}`;
  }
  const newest = (condition: Fragment) => newestWhere('checkouts', search, condition, narrowed(search));
  const ofReference = newest(sql.fragment`row.merchant_reference = ${term.text}`);
  const ofText = sql.fragment`${ofReference} union all ${ofCustomers}`;
  if (term.kind !== 'amount') return ofText;
  const ofAmount = hasPeriod(search)
    ? newest(sql.fragment`row.amount = ${term.cents}`)
    : newestOfAmount('checkouts', search, term.cents, SESSION_STATES);
  return sql.fragment`${ofText} union all ${ofAmount}`;
}
