/**
 * Stores the rail's late answer about a charge that an operator settled as succeeded while the rail did not answer
 * (rule 35).
 */
import { z } from 'zod';
import { isBilled } from '../../domain/subscription/subscription.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import type { AnswerDetails } from '../payment/rail-calls.ts';
import { lockSubscription } from './core/subscription-row.ts';
import { replaceMethod, takeMethodOf } from './replace-method.ts';

/**
 * Completes a succeeded payment with missing details: the rail's reference, without which it cannot be refunded, the
 * method and the mandate. Stored values are kept. If the charge's mandate differs from the subscription's, the charge
 * counts as made before a change of method. The mandate is stored with a subscription that was settled without one, or
 * whose buyer agreed to keep the method of a payment link and has not changed it since. Idempotent.
 */
export function storeLateApproval(pool: Pool, paymentId: string, details: AnswerDetails): Promise<void> {
  const { railReference, method, mandate } = details;
  return inTransaction(pool, async (tx) => {
    const link = mandate && (await linkThatKeeps(tx, paymentId));
    await tx.query(sql.typeAlias('void')`
      update payments p
      set rail_order_id = coalesce(p.rail_order_id, ${railReference}),
        payment_method = case when p.payment_method ->> 'last4' is null
          then coalesce(${method ? sql.jsonb(method) : null}, p.payment_method) else p.payment_method end,
        credential_secret_ref = coalesce(p.credential_secret_ref, ${mandate ? sql.binary(mandate) : null}),
        updated_at = greatest(p.updated_at, service_clock())
      where p.id = ${paymentId} and p.status in ('succeeded', 'partially_refunded', 'refunded')
        and (p.rail_order_id is null or p.payment_method ->> 'last4' is null
          or (p.credential_secret_ref is null and ${mandate !== null}))
    `);
    const subscriptionId = mandate && (await subscriptionWithoutMandate(tx, paymentId));
    if (subscriptionId) await giveMandate(tx, subscriptionId, paymentId);
    if (link) await replaceMethod(tx, link.subscription_id, { checkoutId: link.id, paymentId });
  });
}

const paidLink = z.object({ id: z.string(), subscription_id: z.string() });

/** Returns the payment link that the payment settled without its mandate, if the method is to be kept. */
function linkThatKeeps(tx: Transaction, paymentId: string): Promise<z.infer<typeof paidLink> | null> {
  return tx.maybeOne(sql.type(paidLink)`
    select c.id, c.subscription_id
    from payments p
    join checkouts c on c.id = p.checkout_id and c.invoice_id is not null and c.state = 'succeeded'
    join clicks r on r.claim_id = p.claim_id and r.keeps_method
    where p.id = ${paymentId} and p.status in ('succeeded', 'partially_refunded', 'refunded')
      and p.credential_secret_ref is null
  `);
}

/** Returns the subscription that the payment's session began, if it has no mandate. */
function subscriptionWithoutMandate(tx: Transaction, paymentId: string): Promise<string | null> {
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select s.id
    from payments p
    join checkouts c on c.id = p.checkout_id and c.state = 'succeeded'
    join subscriptions s on s.checkout_id = c.id
    where p.id = ${paymentId} and p.status in ('succeeded', 'partially_refunded', 'refunded')
      and p.credential_secret_ref is not null and s.credential_secret_ref is null
  `);
}

/** Locks the subscription first, because a method change may have given it another mandate in the meantime. */
async function giveMandate(tx: Transaction, subscriptionId: string, paymentId: string): Promise<void> {
  const subscription = await lockSubscription(tx, subscriptionId);
  const stillWithout = (await subscriptionWithoutMandate(tx, paymentId)) === subscriptionId;
  if (stillWithout && isBilled(subscription.status)) await takeMethodOf(tx, subscription, paymentId);
}
