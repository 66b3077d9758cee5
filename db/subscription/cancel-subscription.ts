/** Cancels a subscription for its merchant or an operator: at once, or at the end of the period. */
import { isFinishedSubscription } from '../../domain/subscription.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { endSubscription } from './end-subscription.ts';
import { hasScheduledChange } from './subscription-changes.ts';
import { recordSubscriptionEvent } from './subscription-events.ts';
import { done, type Operation, type OperationResult, operate, refused } from './subscription-operations.ts';
import { type LockedSubscription, saveSubscription } from './subscription-row.ts';

export interface CancelOperation extends Operation {
  readonly atPeriodEnd: boolean;
}

export function cancelSubscription(pool: Pool, operation: CancelOperation): Promise<OperationResult> {
  return operate(pool, operation, async (tx, subscription) => {
    if (subscription.status === 'incomplete') return refusal('subscription_incomplete');
    if (isFinishedSubscription(subscription.status)) return refusal('subscription_finished');
    if (await hasScheduledChange(tx, subscription.id)) return refusal('subscription_change_scheduled');
    return operation.atPeriodEnd ? atPeriodEnd(tx, subscription) : atOnce(tx, subscription);
  });
}

async function atPeriodEnd(tx: Transaction, subscription: LockedSubscription): Promise<OperationResult> {
  if (subscription.cancel_at_period_end) return { answer: done(), eventIds: [] };
  const ending = await saveSubscription(tx, subscription, { cancel_at_period_end: true });
  const eventId = await recordSubscriptionEvent(tx, ending, { type: 'subscription.updated' });
  return { answer: done(), eventIds: [eventId] };
}

/** An open charge is settled first; until then only the request is stored (rule 25). */
async function atOnce(tx: Transaction, subscription: LockedSubscription): Promise<OperationResult> {
  if (!subscription.open_payment_id)
    return { answer: done(), eventIds: await endSubscription(tx, subscription) };
  if (!subscription.cancel_requested_at) {
    await saveSubscription(tx, subscription, { cancel_requested_at: subscription.now });
  }
  return { answer: done(), eventIds: [] };
}

function refusal(reason: Parameters<typeof refused>[0]): OperationResult {
  return { answer: refused(reason), eventIds: [] };
}
