/** Invoices of one environment, newest first. */
import { type Invoice, invoice } from '../../contract/invoice/resources.ts';
import { customersNamed, type ListSearch } from '../core/list-search.ts';
import { type Db, sql } from '../core/pool.ts';

/** @param publicUrl base of the PDF links */
export function searchInvoices(
  publicUrl: string,
): (db: Db, search: ListSearch) => Promise<readonly Invoice[]> {
  return (db, { scope, term, status, after, limit }) =>
    db.any(sql.type(invoice)`
      select i.id, i.number, i.issued_at, i.customer_id, i.order_id, i.subscription_id, i.status, i.amount_due,
        i.currency, i.customer, i.line_items,
        case when i.number is not null then ${publicUrl}::text || '/invoices/' || i.pdf_token || '.pdf' end as pdf_url
      from invoices i
      where i.merchant_id = ${scope.merchantId} and i.environment = ${scope.environment}
        ${term === null ? sql.fragment`` : sql.fragment`and i.id in (${matching(scope, term)})`}
        ${status === null ? sql.fragment`` : sql.fragment`and i.status = ${status}`}
        ${after === null ? sql.fragment`` : sql.fragment`and i.id < ${after}`}
      order by i.id desc
      limit ${limit}`);
}

function matching(scope: ListSearch['scope'], term: NonNullable<ListSearch['term']>) {
  const { merchantId, environment } = scope;
  const ofCustomers = sql.fragment`select id from invoices where customer_id in (${customersNamed(scope, term)})`;
  if (term.kind === 'email') return ofCustomers;
  if (term.kind === 'id') {
    return sql.fragment`
      select id from invoices where id = ${term.id}
      union all select id from invoices where order_id = ${term.id} and subscription_id is null
      union all select id from invoices where subscription_id = ${term.id}
      union all ${ofCustomers}`;
  }
  return sql.fragment`
    select id from invoices where merchant_id = ${merchantId} and environment = ${environment} and number = ${term.text}
    union all ${ofCustomers}`;
}
