/** A lost dispute ends its subscription with the period, unless the merchant decided otherwise. */
import { z } from 'zod';
import { isBilled } from '../../domain/subscription/subscription.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { recordSubscriptionEvent } from '../subscription/subscription-events.ts';
import { type LockedSubscription, saveSubscription } from '../subscription/subscription-row.ts';

/**
 * Stops all charges, including one that is claimed and not sent, as behind the fence of a restore (`beginChargeStored`),
 * and those that an open charge would schedule; unpaid invoices are written off at the end.
 * @returns whether it changed
 */
export async function stopRenewing(tx: Transaction, subscription: LockedSubscription): Promise<boolean> {
  if (!isBilled(subscription.status)) return false;
  if (subscription.charging_stopped) return false;
  const goesOn = await tx.oneFirst(sql.type(z.object({ goes_on: z.boolean() }))`
    select renew_after_lost_dispute as goes_on from merchants where id = ${subscription.merchant_id}
  `);
  if (goesOn) return false;
  const stopped = await saveSubscription(tx, subscription, {
    cancel_at_period_end: true,
    charging_stopped: true,
  });
  await recordSubscriptionEvent(tx, stopped, { type: 'subscription.updated' });
  return true;
}
