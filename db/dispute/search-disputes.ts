/** Disputes of one environment with their ids at the card processor, latest first. */
import { type FoundDispute, foundDispute } from '../../contract/dispute/search.ts';
import { DISPUTE_STATUSES } from '../../domain/dispute/dispute.ts';
import { type DatedPosition, type DatedSearch, newestByDate } from '../core/lists/dated-search.ts';
import { type Db, sql } from '../core/pool.ts';

export function searchDisputes(
  db: Db,
  search: DatedSearch,
  after: DatedPosition | null,
): Promise<readonly FoundDispute[]> {
  return db.any(sql.type(foundDispute)`
    select d.id, d.payment_id, d.subscription_id, d.status, d.amount, d.currency, d.reason, d.evidence_due_by,
      d.rail_dispute_id, d.rail_account_id, p.rail, p.rail_order_id, d.opened_at, d.created_at, d.updated_at
    from disputes d join payments p on p.id = d.payment_id
    where d.id = any (array(${newestByDate('disputes', search, after, DISPUTE_STATUSES)}))
    order by unix_ms(d.opened_at) desc, d.id desc
    limit ${search.limit}`);
}
