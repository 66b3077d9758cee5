/** Stops charging a subscription, which then ends with its period: for a lost dispute or a lost request (rule 29). */
import { dueAtOnce } from '../../domain/subscription/dunning.ts';
import { isBilled } from '../../domain/subscription/subscription.ts';
import type { Transaction } from '../core/pool.ts';
import { recordSubscriptionEvent } from '../subscription/core/subscription-events.ts';
import { failWaitingChange } from '../subscription/core/subscription-invoices.ts';
import {
  isChangePending,
  type LockedSubscription,
  type SubscriptionChanges,
  saveSubscription,
} from '../subscription/core/subscription-row.ts';

/**
 * Stops all charges, including a claimed but unsent one (`beginChargeStored`) and those that an open charge would
 * schedule; unpaid invoices are written off at the end.
 * @returns whether the subscription changed
 */
export async function stopRenewing(tx: Transaction, subscription: LockedSubscription): Promise<boolean> {
  if (!isBilled(subscription.status)) return false;
  if (subscription.charging_stopped && subscription.cancel_at_period_end) return false;
  // An attempt in progress through the link is settled first.
  const left = isChangePending(subscription) ? subscription : await failWaitingChange(tx, subscription);
  const stopped = await saveSubscription(tx, left, {
    cancel_at_period_end: true,
    collects: false,
    charging_stopped: true,
  });
  await recordSubscriptionEvent(tx, stopped, { type: 'subscription.updated', change: 'charging_stopped' });
  return true;
}

/**
 * Resumes charging; unpaid invoices of a stopped subscription are charged immediately.
 * @param changes further changes, for example to keep a cancellation in force
 * @returns false if the subscription has ended
 */
export async function renewAgain(
  tx: Transaction,
  subscription: LockedSubscription,
  changes: SubscriptionChanges,
): Promise<boolean> {
  if (!isBilled(subscription.status)) return false;
  const { unpaid_invoices: unpaid, open_payment_id: openPayment, dunning, now } = subscription;
  const going = await saveSubscription(tx, subscription, {
    charging_stopped: false,
    ...(subscription.charging_stopped && {
      charge_at: unpaid > 0 && !openPayment ? dueAtOnce(dunning, now) : null,
    }),
    ...changes,
  });
  await recordSubscriptionEvent(tx, going, { type: 'subscription.updated', change: 'charging_continued' });
  return true;
}
