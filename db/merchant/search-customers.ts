/** Customers of one environment, newest first. */
import { type FoundCustomer, foundCustomer } from '../../contract/merchant/customers.ts';
import { DEFAULT_CURRENCY } from '../../domain/core/money.ts';
import { among, customersNamed, type ListSearch, within } from '../core/lists/list-search.ts';
import { type Db, sql } from '../core/pool.ts';
import { PAID } from './overview.ts';

export function searchCustomers(db: Db, search: ListSearch): Promise<readonly FoundCustomer[]> {
  const { scope, term, limit } = search;
  return db.any(sql.type(foundCustomer)`
    select ${FOUND_CUSTOMER}
    where customers.id = any (array(
      select row.id from customers row
      where row.merchant_id = ${scope.merchantId} and row.environment = ${scope.environment}
        ${among(['row', 'id'], term && customersNamed(scope, term))} ${within('ap_cus_', search)}
      order by row.id desc
      limit ${limit}))
    order by customers.id desc`);
}

/** The columns of a `FoundCustomer`, and their tables. */
export const FOUND_CUSTOMER = sql.fragment`id, external_customer_id, email, name, billing_details, tax_value, tax_type,
    coalesce(paid.amount, 0) as paid_amount, ${DEFAULT_CURRENCY}::text as currency, paid.last_at as last_paid_at, created_at
  from customers left join lateral (
    select sum(p.amount - p.refunded_amount)::bigint as amount, max(p.created_at) as last_at
    from payments p
    where p.customer_id = customers.id and ${PAID}
      and p.currency = ${DEFAULT_CURRENCY}
  ) paid on true`;
