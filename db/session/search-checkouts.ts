/** Checkouts of one environment, newest first; a change of payment method is not one. */
import { type FoundCheckout, foundCheckout } from '../../contract/session/search.ts';
import { customersNamed, type ListSearch } from '../core/list-search.ts';
import { type Db, sql } from '../core/pool.ts';

export function searchCheckouts(
  db: Db,
  { scope, term, status, after, limit }: ListSearch,
): Promise<readonly FoundCheckout[]> {
  return db.any(sql.type(foundCheckout)`
    select c.id, c.state, c.failure_reason, c.amount, c.currency, c.product_id, c.customer_id,
      (select id from payments where checkout_id = c.id order by attempt_no desc limit 1) as payment_id,
      c.merchant_reference, c.created_at, c.expires_at, c.finished_at,
      c.terms #>> '{product,name}' as product_name,
      jsonb_build_object('id', u.id, 'email', u.email, 'name', u.name) as customer
    from checkouts c join customers u on u.id = c.customer_id
    where c.merchant_id = ${scope.merchantId} and c.environment = ${scope.environment} and c.subscription_id is null
      ${term === null ? sql.fragment`` : sql.fragment`and c.id in (${matching(scope, term)})`}
      ${status === null ? sql.fragment`` : sql.fragment`and c.state = ${status}`}
      ${after === null ? sql.fragment`` : sql.fragment`and c.id < ${after}`}
    order by c.id desc
    limit ${limit}`);
}

function matching(scope: ListSearch['scope'], term: NonNullable<ListSearch['term']>) {
  const { merchantId, environment } = scope;
  const ofCustomers = sql.fragment`select id from checkouts where customer_id in (${customersNamed(scope, term)})`;
  if (term.kind === 'email') return ofCustomers;
  if (term.kind === 'id') {
    return sql.fragment`
      select id from checkouts where id = ${term.id}
      union all select checkout_id from payments where id = ${term.id}
      union all ${ofCustomers}`;
  }
  return sql.fragment`
    select id from checkouts
    where merchant_id = ${merchantId} and environment = ${environment} and merchant_reference = ${term.text}
    union all ${ofCustomers}`;
}
