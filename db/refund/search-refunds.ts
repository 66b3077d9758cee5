/** Refunds of one environment, newest first, with their ids at the card processor. */
import { type FoundRefund, foundRefund } from '../../contract/refund/search.ts';
import { REFUND_STATUSES } from '../../domain/refund/refund.ts';
import { type DatedPosition, type DatedSearch, newestByDate } from '../core/lists/dated-search.ts';
import { type Db, sql } from '../core/pool.ts';
import { creditNoteOfRefund } from '../payment/credit-note-of-refund.ts';
import { disputedPart } from '../payment/disputed-part.ts';

/** @param publicUrl base URL of the credit notes' PDF links */
export function searchRefunds(
  publicUrl: string,
): (db: Db, search: DatedSearch, after: DatedPosition | null) => Promise<readonly FoundRefund[]> {
  return (db, search, after) =>
    db.any(sql.type(foundRefund)`
      select r.id, r.payment_id, r.order_id, r.amount, r.currency, r.reason, r.status, r.failure_code, r.rail_refund_id,
        r.rail_account_id, p.rail, p.rail_order_id, d.status as payment_dispute_status,
        ${creditNoteOfRefund(publicUrl)} as credit_note, r.created_at, r.updated_at
      from refunds r join payments p on p.id = r.payment_id ${disputedPart}
      where r.id = any (array(${newestByDate('refunds', search, after, REFUND_STATUSES)}))
      order by unix_ms(r.created_at) desc, r.id desc
      limit ${search.limit}`);
}
