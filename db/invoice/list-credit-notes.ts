import { type CreditNote, creditNote } from '../../contract/invoice/credit-note.ts';
import { type ListBatch, olderThan } from '../core/lists/list-batch.ts';
import { sql } from '../core/pool.ts';

/** @param publicUrl base URL of the PDF links */
export function listCreditNotes(publicUrl: string): ListBatch<CreditNote> {
  return (db, { merchantId, environment }, { after, limit }) =>
    db.any(sql.type(creditNote)`
      ${selectCreditNotes(publicUrl)}
      where row.merchant_id = ${merchantId} and row.environment = ${environment} ${olderThan('row', after)}
      order by row.id desc
      limit ${limit}
    `);
}

export function selectCreditNotes(publicUrl: string) {
  return sql.fragment`
      select row.id, row.number, row.issued_at,
        to_char(row.issued_at at time zone row.time_zone, 'YYYY-MM-DD') as issued_on, row.invoice_id, i.number as invoice_number, row.order_id, row.payment_id,
        row.refund_id, row.subscription_id, row.customer_id, row.customer, row.reason, row.amount, row.currency,
        (select jsonb_agg(line - 'line') from jsonb_array_elements(row.line_items) line) as line_items,
        ${publicUrl}::text || '/credit-notes/' || row.pdf_token || '.pdf' as pdf_url
      from credit_notes row join invoices i on i.id = row.invoice_id`;
}
