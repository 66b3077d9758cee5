/**
 * Announces the charge at the period's end, to endpoints that list the event: `subscription.trial_ending` in a trial,
 * `subscription.renewal_upcoming` otherwise.
 */
import type { Pool } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { changeAt, termsAt } from './core/planned-period.ts';
import { arriveAt } from './core/sandbox-clock.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { lockSubscription, renewalTotal, saveSubscription } from './core/subscription-row.ts';

/** One idempotent transaction under the subscription's lock. It does nothing before the announcement is due. */
export function announce(pool: Pool, subscriptionId: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const subscription = await arriveAt(tx, await lockSubscription(tx, subscriptionId), 'announce');
    if (!subscription) return;
    const { status, current_period_end: at, currency } = subscription;
    if (at === null) throw new Error(`${subscriptionId} has no period`);
    const change = await changeAt(tx, subscriptionId, at);
    const { product_id: planId, amount } = termsAt(subscription, change, at);
    const total = renewalTotal(subscription, { planId, amount });
    const announced = await saveSubscription(tx, subscription, { announce_at: null });
    await recordSubscriptionEvent(tx, announced, {
      type: status === 'trialing' ? 'subscription.trial_ending' : 'subscription.renewal_upcoming',
      nextRenewal: { at, total, currency },
    });
  });
}
