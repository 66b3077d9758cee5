import { type CreditNote, creditNote } from '../../contract/invoice/credit-note.ts';
import { type ListBatch, olderThan } from '../core/list-batch.ts';
import { sql } from '../core/pool.ts';

/** @param publicUrl base URL of the PDF links */
export function listCreditNotes(publicUrl: string): ListBatch<CreditNote> {
  return (db, { merchantId, environment }, { after, limit }) =>
    db.any(sql.type(creditNote)`
      ${selectCreditNotes(publicUrl)}
      where n.merchant_id = ${merchantId} and n.environment = ${environment} ${olderThan('n', after)}
      order by n.id desc
      limit ${limit}
    `);
}

export function selectCreditNotes(publicUrl: string) {
  return sql.fragment`
      select n.id, n.number, n.issued_at, n.invoice_id, i.number as invoice_number, n.order_id, n.payment_id,
        n.refund_id, n.subscription_id, n.customer_id, n.customer, n.reason, n.amount, n.currency,
        (select jsonb_agg(line - 'line') from jsonb_array_elements(n.line_items) line) as line_items,
        ${publicUrl}::text || '/credit-notes/' || n.pdf_token || '.pdf' as pdf_url
      from credit_notes n join invoices i on i.id = n.invoice_id`;
}
