/** Ends a subscription for whatever reason, in the caller's transaction. */

import { sql, type Transaction } from '../core/pool.ts';
import { recordSubscriptionEvent } from './subscription-events.ts';
import { writeOffUnpaid } from './subscription-invoices.ts';
import { type LockedSubscription, saveSubscription } from './subscription-row.ts';

/** Call it only while no payment is open. */
export async function endSubscription(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const { id, now, open_payment_id: openPayment } = subscription;
  if (openPayment)
    throw new Error(`${id}: payment ${openPayment} is still open and must be settled before the end`);
  const lastPaid = await writeOffUnpaid(tx, subscription);
  await tx.query(sql.typeAlias('void')`
    update subscription_changes set status = 'cancelled', updated_at = ${now}
    where subscription_id = ${id} and status = 'scheduled'
  `);
  const ended = await saveSubscription(tx, subscription, {
    status: 'cancelled',
    cancelled_at: now,
    charge_at: null,
    dunning: null,
    unpaid_invoices: 0,
    // The end of the paid time, when the merchant removes access.
    ...(lastPaid && { current_period_start: lastPaid.start, current_period_end: lastPaid.end }),
  });
  await recordSubscriptionEvent(tx, ended, { type: 'subscription.cancelled' });
}
