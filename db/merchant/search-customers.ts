/** Customers of one environment, newest first. */
import { type FoundCustomer, foundCustomer } from '../../contract/merchant/customers.ts';
import { among, customersNamed, type ListSearch } from '../core/list-search.ts';
import { type Db, sql } from '../core/pool.ts';

export function searchCustomers(
  db: Db,
  { scope, term, after, limit }: ListSearch,
): Promise<readonly FoundCustomer[]> {
  const { merchantId, environment } = scope;
  return db.any(sql.type(foundCustomer)`
    select id, external_customer_id, email, name, created_at
    from customers
    where merchant_id = ${merchantId} and environment = ${environment}
      ${among(['customers', 'id'], term && customersNamed(scope, term))}
      ${after === null ? sql.fragment`` : sql.fragment`and id < ${after}`}
    order by id desc
    limit ${limit}`);
}
