/** Ends a method change, in the transaction that ends its session. */
import type { SessionFailureReason, SessionState } from '../../domain/session/session.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { recordSubscriptionEvent } from '../subscription/core/subscription-events.ts';
import { lockSubscription } from '../subscription/core/subscription-row.ts';
import { replaceMethod } from '../subscription/replace-method.ts';
import { adoptDetails } from './core/buyer-details.ts';
import type { LockedSession } from './core/session-row.ts';

interface MethodChangeEnd {
  readonly state: SessionState;
  readonly failureReason: SessionFailureReason | null;
}

/**
 * Replaces the method, or reports the failure to the merchant. If the subscription has ended in the meantime, the new
 * mandate is detached instead. Without a mandate, as after an operator's `succeeded` without the rail's answer, the old
 * method stays. A method change that a newer one has superseded ends without an event, because its failure would arrive
 * after the newer one's success and contradict it (rule 8). The subscription is locked first: method changes are
 * created under this lock, so none can appear between the check and the replacement.
 */
export async function endMethodChange(
  tx: Transaction,
  session: LockedSession,
  subscriptionId: string,
  to: SessionState,
  failureReason: SessionFailureReason | null,
  payment: { readonly id: string } | null,
): Promise<MethodChangeEnd> {
  const ended = { state: 'failed', failureReason: failureReason ?? 'cancelled' } as const;
  const subscription = await lockSubscription(tx, subscriptionId);
  if (await isSuperseded(tx, session.id)) return ended;
  if (to === 'succeeded' && payment) {
    const replaced = await replaceMethod(tx, subscriptionId, {
      checkoutId: session.id,
      paymentId: payment.id,
    });
    if (replaced) {
      await tx.query(sql.typeAlias('void')`${adoptDetails(session.id)}`);
      return { state: to, failureReason: null };
    }
  }
  await recordSubscriptionEvent(tx, subscription, {
    type: 'payment_method.update_failed',
    aggregate: { id: session.id, version: session.version },
    checkoutId: session.id,
  });
  return ended;
}

/** Returns whether a newer method change was created. */
export function isSuperseded(tx: Transaction, methodChangeId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from checkouts c join subscriptions s on s.id = c.subscription_id
    where c.id = ${methodChangeId} and s.newest_method_change_id <> c.id
  `);
}
