/** Invoices of one environment, newest first. */
import { type FoundInvoice, foundInvoice } from '../../contract/invoice/search.ts';
import type { SearchTerm } from '../../domain/core/search.ts';
import { INVOICE_STATUSES } from '../../domain/invoice/invoice.ts';
import {
  among,
  hasPeriod,
  type ListSearch,
  newestOfAmount,
  newestOfCustomers,
  newestWhere,
  numberHas,
  within,
} from '../core/lists/list-search.ts';
import { type Db, type Fragment, sql } from '../core/pool.ts';
import { shownOf } from './shown-of-invoice.ts';

/** @param publicUrl base URL of the PDF links */
export function searchInvoices(
  publicUrl: string,
): (db: Db, search: ListSearch) => Promise<readonly FoundInvoice[]> {
  return (db, search) =>
    db.any(sql.type(foundInvoice)`
      select row.id, row.number, row.issued_at, ${shownOf('row')}, row.customer_id, row.order_id, row.subscription_id, row.status,
        row.amount_due, row.currency, row.customer, row.line_items, case when row.number is not null
          then ${publicUrl}::text || '/invoices/' || row.pdf_token || '.pdf' end as pdf_url,
        paid.id as payment_id, coalesce(paid.refunded_amount, 0) as refunded_amount, array(
          select number from credit_notes where invoice_id = row.id order by id) as credit_notes
      from invoices row left join payments paid on row.status = 'created'
        and paid.id = (select payment_id from orders where id = row.order_id)
      where row.merchant_id = ${search.scope.merchantId} and row.environment = ${search.scope.environment}
        ${among(['row', 'id'], search.term && matching(search, search.term))} ${narrowed(search)}
      order by row.id desc
      limit ${search.limit}`);
}

function narrowed(search: ListSearch) {
  const { status, printsCodes = false } = search;
  return sql.fragment`
    ${status === null ? sql.fragment`` : sql.fragment`and row.status = ${status}`}
    ${printsCodes ? sql.fragment`and row.prints_codes` : sql.fragment``}
    ${within('ap_inv_', search, sql.fragment`row.issued_at`)}`;
}

function matching(search: ListSearch, term: SearchTerm) {
  const { merchantId, environment } = search.scope;
  const ofCustomers = newestOfCustomers('invoices', search, term, narrowed(search));
  if (term.kind === 'email') return ofCustomers;
  if (term.kind === 'id') {
    return sql.fragment`
      select ${term.id}::text
      union all select id from invoices where order_id = ${term.id} and subscription_id is null
      union all select id from invoices where subscription_id = ${term.id}
      union all ${ofCustomers}`;
  }
  const newest = (condition: Fragment) => newestWhere('invoices', search, condition, narrowed(search));
  const ofText = sql.fragment`
    ${newest(numberHas(term.text))}
    union all
    select row.id from orders o join invoices row on row.order_id = o.id and row.subscription_id is null
    where o.merchant_id = ${merchantId} and o.environment = ${environment} and o.external_reference = ${term.text}
    union all ${ofCustomers}`;
  if (term.kind !== 'amount') return ofText;
  const ofAmount =
    hasPeriod(search) || search.printsCodes
      ? newest(sql.fragment`row.amount = ${term.cents}`)
      : newestOfAmount('invoices', search, term.cents, INVOICE_STATUSES);
  return sql.fragment`${ofText} union all ${ofAmount}`;
}
