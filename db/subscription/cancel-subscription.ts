/** Cancels a subscription for its merchant or an operator: at once, or at the end of the period. */
import { isFinishedSubscription } from '../../domain/subscription/subscription.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { endSubscription } from './end-subscription.ts';
import { hasScheduledChange } from './subscription-changes.ts';
import { recordSubscriptionEvent } from './subscription-events.ts';
import { done, type Operation, type OperationAnswer, operate, refused } from './subscription-operations.ts';
import { type LockedSubscription, saveSubscription } from './subscription-row.ts';

export interface CancelOperation extends Operation {
  readonly atPeriodEnd: boolean;
}

export function cancelSubscription(pool: Pool, operation: CancelOperation): Promise<OperationAnswer> {
  return operate(pool, operation, async (tx, subscription) => {
    if (subscription.status === 'incomplete') return refused('subscription_incomplete');
    if (isFinishedSubscription(subscription.status)) return refused('subscription_finished');
    if (await hasScheduledChange(tx, subscription.id)) return refused('subscription_change_scheduled');
    if (operation.atPeriodEnd) return atPeriodEnd(tx, subscription);
    await cancelAtOnce(tx, subscription);
    return done();
  });
}

async function atPeriodEnd(tx: Transaction, subscription: LockedSubscription): Promise<OperationAnswer> {
  if (subscription.cancel_at_period_end) return done();
  const ending = await saveSubscription(tx, subscription, { cancel_at_period_end: true });
  await recordSubscriptionEvent(tx, ending, { type: 'subscription.updated' });
  return done();
}

/** An open charge is settled first; until then only the request is stored (rule 25). */
export async function cancelAtOnce(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  if (!subscription.open_payment_id) await endSubscription(tx, subscription);
  else if (!subscription.cancel_requested_at) {
    await saveSubscription(tx, subscription, { cancel_requested_at: subscription.now });
  }
}
