/** Re-ends a subscription whose end was lost in a restore. */
import { isBilled } from '../../domain/subscription/subscription.ts';
import { adopting } from '../core/ledger-copy.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { neverSend } from '../payment/rail-calls.ts';
import { endSubscription } from '../subscription/end-subscription.ts';
import { lockSubscription, saveSubscription } from '../subscription/subscription-row.ts';

/** Settles an open charge first (rule 25). Idempotent. @returns false if the subscription is not here, or has ended */
export async function adoptEnd(pool: Pool, subscriptionId: string): Promise<boolean> {
  if (!(await pool.exists(sql.unsafe`select from subscriptions where id = ${subscriptionId}`))) return false;
  return inTransaction(pool, (tx) => adoptEndIn(tx, subscriptionId));
}

/** In the caller's transaction, which must be one of `inTransaction`. */
export async function adoptEndIn(tx: Transaction, subscriptionId: string): Promise<boolean> {
  const subscription = await lockSubscription(tx, subscriptionId);
  if (!isBilled(subscription.status) || subscription.cancel_requested_at) return false;
  const { open_payment_id: openPayment, now } = subscription;
  if (!openPayment) await endSubscription(tx, subscription);
  else {
    // A charge for a period after the end.
    await adopting(tx);
    await neverSend(tx, openPayment);
    await saveSubscription(tx, subscription, { cancel_requested_at: now });
  }
  return true;
}
