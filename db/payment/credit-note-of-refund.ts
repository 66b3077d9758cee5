import { sql } from '../core/pool.ts';

/**
 * Selects the credit note of refund `r` as JSON; null until it is issued, and once it is reversed.
 * @param publicUrl base URL of the PDF link
 */
export const creditNoteOfRefund = (publicUrl: string) => sql.fragment`(
  select jsonb_build_object('id', n.id, 'number', n.number,
    'pdf_url', ${publicUrl}::text || '/credit-notes/' || n.pdf_token || '.pdf')
  from credit_notes n where n.refund_id = r.id and n.reversed_by is null)`;
