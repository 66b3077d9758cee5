/** Replaces a subscription's payment method, in the transaction that confirmed it at the rail. */

import { sql, type Transaction } from '../core/pool.ts';
import { recordSubscriptionEvent } from './subscription-events.ts';
import { lockSubscription, saveSubscription } from './subscription-row.ts';

/**
 * Makes unpaid invoices due at once; the subscription's workflow charges them (rule 8). The dunning ladder continues: a
 * decline of the new method counts as its next step.
 * @returns false when the subscription has ended meanwhile: nothing is replaced
 */
export async function replaceMethod(
  tx: Transaction,
  subscriptionId: string,
  { checkoutId, paymentId }: { readonly checkoutId: string; readonly paymentId: string },
): Promise<boolean> {
  const subscription = await lockSubscription(tx, subscriptionId);
  if (!['trialing', 'active', 'past_due'].includes(subscription.status)) return false;
  const chargeNow = subscription.unpaid_invoices > 0 && !subscription.open_payment_id;
  const changed = await saveSubscription(tx, subscription, {
    charge_at: chargeNow ? subscription.now : subscription.charge_at,
  });
  await tx.query(sql.unsafe`
    update subscriptions s
    set payment_method = p.payment_method, credential_secret_ref = p.credential_secret_ref,
      rail_account_id = p.rail_account_id
    from payments p where s.id = ${subscriptionId} and p.id = ${paymentId}
  `);
  const type = 'payment_method.updated';
  await recordSubscriptionEvent(tx, changed, { type, withMethod: true, checkoutId });
  return true;
}
