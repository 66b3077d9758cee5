/** Replaces a subscription's payment method with that of a payment, in the caller's transaction. */

import { dueAtOnce } from '../../domain/subscription/dunning.ts';
import { waitsForCharge } from '../../domain/subscription/operations.ts';
import { isBilled } from '../../domain/subscription/subscription.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { operable } from './core/subscription-operations.ts';
import { type LockedSubscription, lockSubscription, saveSubscription } from './core/subscription-row.ts';

/**
 * Replaces the method and makes unpaid invoices due immediately, which the subscription's workflow then charges
 * (rule 8). The dunning schedule continues: a decline of the new method counts as its next step.
 *
 * @returns false if nothing is replaced: the subscription has ended, or the payment has no mandate, because an operator
 *   settled it without the rail's answer
 */
export async function replaceMethod(
  tx: Transaction,
  subscriptionId: string,
  { checkoutId, paymentId }: { readonly checkoutId: string; readonly paymentId: string },
): Promise<boolean> {
  const subscription = await lockSubscription(tx, subscriptionId);
  if (!isBilled(subscription.status) || !(await hasMandate(tx, paymentId))) return false;
  const changed = await takeMethodOf(tx, subscription, paymentId);
  await keepFromLinks(tx, subscriptionId, paymentId);
  const type = 'payment_method.updated';
  await recordSubscriptionEvent(tx, changed, { type, withMethod: true, checkoutId });
  return true;
}

/**
 * Copies the payment's method and mandate to a locked subscription, and makes unpaid invoices due immediately.
 */
export async function takeMethodOf(
  tx: Transaction,
  subscription: LockedSubscription,
  paymentId: string,
): Promise<LockedSubscription> {
  const waits = waitsForCharge('changeMethod', operable(subscription)) && !subscription.paid_by_link;
  const chargeNow = subscription.unpaid_invoices > 0 && !waits;
  const changed = await saveSubscription(tx, subscription, {
    method_declined: false,
    charge_at: chargeNow ? dueAtOnce(subscription.dunning, subscription.now) : subscription.charge_at,
  });
  await tx.query(sql.typeAlias('void')`
    update subscriptions s
    set payment_method = p.payment_method, credential_secret_ref = p.credential_secret_ref,
      rail_account_id = p.rail_account_id
    from payments p where s.id = ${subscription.id} and p.id = ${paymentId}
  `);
  return changed;
}

/**
 * Prevents earlier links, whose mandates may be reported later, from replacing this newer method. If the payment is a
 * link's own, with its mandate reported late, links clicked after it may still replace its method.
 */
async function keepFromLinks(tx: Transaction, subscriptionId: string, paymentId: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update clicks r set keeps_method = false from checkouts c
    where c.subscription_id = ${subscriptionId} and c.invoice_id is not null
      and r.checkout_id = c.id and r.keeps_method and not exists (
        select from payments p join clicks mine on mine.claim_id = p.claim_id
        join checkouts link on link.id = p.checkout_id and link.invoice_id is not null
        where p.id = ${paymentId} and mine.created_at < r.created_at)
  `);
}

function hasMandate(tx: Transaction, paymentId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from payments where id = ${paymentId} and credential_secret_ref is not null`);
}
