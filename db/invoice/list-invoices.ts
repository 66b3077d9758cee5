import { type Invoice, invoice } from '../../contract/invoice/resources.ts';
import { type ListBatch, olderThan } from '../core/list-batch.ts';
import { sql } from '../core/pool.ts';
import { shownOf } from './shown-of-invoice.ts';

/** @param publicUrl base URL of the PDF links */
export function listInvoices(publicUrl: string): ListBatch<Invoice> {
  return (db, { merchantId, environment }, { after, limit }) =>
    db.any(sql.type(invoice)`
      select i.id, i.number, i.issued_at, ${shownOf('i')}, i.customer_id, i.order_id, i.subscription_id, i.status, i.amount_due,
        i.currency, i.customer, i.line_items,
        case when i.number is not null then ${publicUrl}::text || '/invoices/' || i.pdf_token || '.pdf' end as pdf_url
      from invoices i
      where i.merchant_id = ${merchantId} and i.environment = ${environment} ${olderThan('i', after)}
      order by i.id desc
      limit ${limit}
    `);
}
