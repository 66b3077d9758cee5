/**
 * The part of a payment that the buyer's bank has taken back, or may still take back: refunding it too would give the
 * buyer the money twice. Disputes that were won do not count.
 */
import { z } from 'zod';
import { camelCased, type Db, type Fragment, sql } from '../core/pool.ts';

/** The disputed cents; an amount in another currency cannot be compared, so it counts as the whole payment. */
const cents = sql.fragment`case when currency = p.currency then amount else p.amount end`;

/**
 * Joins `d` to payment `p`: `status` ('open' if any dispute is open; null without a dispute), `amount` in cents, and
 * `lost`, the cents of lost disputes.
 */
export const disputedPart = sql.fragment`
  cross join lateral (
    -- 'open' sorts after 'lost'.
    select max(status) as status,
      least(p.amount, coalesce(sum(${cents}), 0))::integer as amount,
      least(p.amount, coalesce(sum(${cents}) filter (where status = 'lost'), 0))::integer as lost
    from disputes where payment_id = p.id and status <> 'won'
  ) d`;

/** Selects 'open', 'lost' or null, like the `status` of `disputedPart`. */
export const worstDisputeOf = (paymentId: Fragment) => sql.fragment`
  (select max(status) from disputes where payment_id = ${paymentId} and status <> 'won')`;

const disputed = camelCased({ open_cents: z.number(), lost_cents: z.number() });

export function disputedCents(db: Db, paymentId: string): Promise<z.infer<typeof disputed>> {
  return db.one(sql.type(disputed)`
    select d.amount - d.lost as open_cents, d.lost as lost_cents
    from payments p ${disputedPart} where p.id = ${paymentId}
  `);
}
