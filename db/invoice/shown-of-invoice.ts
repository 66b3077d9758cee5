/** Facts shown with an invoice that are not columns of its row. */
import { sql } from '../core/pool.ts';

/**
 * Selects the day of issue, in the merchant's time zone at issue, and the amount of the credit notes. A reversed
 * credit note counts, because the invoice that reverses it counts too: invoiced less credited amounts equal the
 * amount paid.
 */
export const shownOf = (invoice: string) => {
  const column = (name: string) => sql.identifier([invoice, name]);
  return sql.fragment`
    to_char(${column('issued_at')} at time zone ${column('time_zone')}, 'YYYY-MM-DD') as issued_on,
    (select coalesce(sum(n.amount), 0)::integer from credit_notes n
      where n.invoice_id = ${column('id')}) as credited_amount,
    ${column('reverses_credit_note_id')}`;
};
