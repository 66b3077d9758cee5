import { z } from 'zod';
import type { LostPurchase } from '../../domain/subscription/first-period.ts';
import { type Db, sql } from '../core/pool.ts';

const lost = z.object({ purchasedAt: z.string(), renewedAt: z.string().nullable() });

/** The rail's record of a subscription whose purchase was lost in a restore; null for an ordinary purchase. */
export function lostPurchase(db: Db, checkoutId: string, paymentId: string): Promise<LostPurchase | null> {
  return db.maybeOne(sql.type(lost)`
    select f.at as "purchasedAt", (
        select min(named.at) from restore_findings r
        cross join lateral (select timestamptz 'epoch' + derived_ms(r.reference) * interval '1 ms' as at) named
        where r.merchant_id = f.merchant_id and r.environment = f.environment and r.kind = 'charge'
          and r.reference = period_payment_id(s.id, named.at, derived_ordinal(r.reference))
      ) as "renewedAt"
    from subscriptions s
    join payments p on p.checkout_id = s.checkout_id and p.id = ${paymentId}
    join restore_findings f
      on f.rail_account_id = p.rail_account_id and f.kind = 'charge' and f.reference = p.id
    where s.checkout_id = ${checkoutId}
  `);
}
