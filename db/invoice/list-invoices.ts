import { type Invoice, invoice } from '../../contract/invoice/resources.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { type ListBatch, olderThan } from '../core/lists/list-batch.ts';
import { type Db, sql } from '../core/pool.ts';
import { shownOf } from './shown-of-invoice.ts';

/** @param publicUrl base URL of the PDF links */
export function listInvoices(publicUrl: string): ListBatch<Invoice> {
  return (db, { merchantId, environment }, { after, limit }) =>
    db.any(sql.type(invoice)`
      ${selectInvoices(publicUrl)}
      where i.merchant_id = ${merchantId} and i.environment = ${environment} ${olderThan('i', after)}
      order by i.id desc
      limit ${limit}
    `);
}

/** @param publicUrl base URL of the PDF link */
export function findInvoice(
  db: Db,
  publicUrl: string,
  { merchantId, environment }: Scope,
  id: string,
): Promise<Invoice | null> {
  return db.maybeOne(sql.type(invoice)`
    ${selectInvoices(publicUrl)}
    where i.id = ${id} and i.merchant_id = ${merchantId} and i.environment = ${environment}
  `);
}

function selectInvoices(publicUrl: string) {
  return sql.fragment`
      select i.id, i.number, i.issued_at, ${shownOf('i')}, i.customer_id, i.order_id, i.subscription_id, i.status, i.amount_due,
        i.currency, i.customer, i.line_items,
        case when i.number is not null then ${publicUrl}::text || '/invoices/' || i.pdf_token || '.pdf' end as pdf_url
      from invoices i`;
}
