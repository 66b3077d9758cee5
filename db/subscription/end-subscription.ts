/** Ends a subscription for any reason, in the caller's transaction. */

import { z } from 'zod';
import { sql, type Transaction } from '../core/pool.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { failWaitingChange, writeOffUnpaid } from './core/subscription-invoices.ts';
import { type LockedSubscription, saveSubscription } from './core/subscription-row.ts';
import { creditUncollectible } from './credit-uncollectible.ts';

/** Ends the subscription. Call only while no payment is open. */
export async function endSubscription(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const { id, now, open_payment_id: openPayment } = subscription;
  if (openPayment)
    throw new Error(`${id}: payment ${openPayment} must be settled before the subscription ends`);
  const lastPaid = await writeOffUnpaid(tx, subscription);
  await tx.query(sql.typeAlias('void')`
    update subscription_changes set status = 'cancelled', updated_at = ${now}
    where subscription_id = ${id} and status = 'scheduled'
  `);
  const left = await failWaitingChange(tx, subscription);
  const ended = await saveSubscription(tx, left, {
    status: 'cancelled',
    cancelled_at: now,
    pause_at_period_end: false,
    resumes_at: null,
    charge_at: null,
    dunning: null,
    unpaid_invoices: 0,
    // Show the last paid period, because the merchant removes access at its end.
    ...(lastPaid && { current_period_start: lastPaid.start, current_period_end: lastPaid.end }),
  });
  await recordSubscriptionEvent(tx, ended, { type: 'subscription.cancelled' });
  await creditUncollectible(tx, ended, await toCredit(tx, id));
}

/** Returns the invoices that were written off, if the merchant's settings require crediting them. */
function toCredit(tx: Transaction, subscriptionId: string): Promise<readonly string[]> {
  return tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select i.id from invoices i join merchants m on m.id = i.merchant_id
    where i.subscription_id = ${subscriptionId} and i.status = 'uncollectible' and m.credit_note_on_uncollectible
    order by i.period_start
  `);
}
