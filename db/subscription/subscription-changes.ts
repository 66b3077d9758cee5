/** Changes of plan, offering or quantity, scheduled for the end of the period (docs/contract.md#subscription). */
import { z } from 'zod';
import { periodAt } from '../../domain/core/calendar.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { crossesTooMany } from './advance-subscription.ts';
import { chosenTarget } from './calculate-change.ts';
import { chooseTarget, type Target, type WantedChange } from './change-target.ts';
import { recordSubscriptionEvent } from './subscription-events.ts';
import { closeUnpaidChange, intervalOf } from './subscription-invoices.ts';
import { done, type Operation, type OperationAnswer, operate, refused } from './subscription-operations.ts';
import { couponOn, type LockedSubscription, renewalTotal, saveSubscription } from './subscription-row.ts';

export type ScheduleChange = Operation & WantedChange;

/** Schedules a change for the end of the present period or trial, read under the lock that moves it (rule 25). */
export function scheduleChange(pool: Pool, operation: ScheduleChange): Promise<OperationAnswer> {
  return operate(pool, 'scheduleChange', operation, async (tx, subscription) => {
    const target = await chooseTarget(tx, subscription, operation);
    if ('kind' in target) return target;
    const effectiveAt = await endOfPresentPeriod(tx, subscription);
    if (effectiveAt === null) return refused('subscription_cancel_scheduled');
    if (isTooMuchWork(subscription, effectiveAt, target)) return refused('advances_running');
    const { planId, offeringId, priceId, amount, quantity } = chosenTarget(target);
    const changeId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into subscription_changes (subscription_id, type, target_plan_id, target_offering_id, target_price_id,
        amount, quantity, effective_at, created_at, updated_at)
      values (${subscription.id}, ${operation.type}, ${planId}, ${offeringId}, ${priceId}, ${amount}, ${quantity},
        ${effectiveAt}, ${subscription.now}, ${subscription.now})
      returning id
    `);
    await recordChangeEvent(tx, subscription);
    return done(changeId);
  });
}

/**
 * Returns the end of the present period; null if the subscription ends with it. After an outage, counts periods that
 * began since the stored one ended.
 */
export async function endOfPresentPeriod(
  tx: Transaction,
  subscription: LockedSubscription,
): Promise<string | null> {
  const {
    id,
    now,
    price_id,
    current_period_end,
    billing_anchor,
    billing_cycles_left: cyclesLeft,
  } = subscription;
  if (!current_period_end || !billing_anchor) throw new Error(`${id} has no period`);
  if (Date.parse(current_period_end) > Date.parse(now)) return current_period_end;
  const { interval, interval_count: count } = await intervalOf(tx, price_id);
  const present = periodAt(billing_anchor, current_period_end, now, interval, count);
  if (cyclesLeft === null) return present.end;
  // Periods that wait for a payment are skipped, and only the last of them is charged.
  const begun = subscription.next_period_waits ? 1 : present.number;
  return cyclesLeft <= chargedOf(subscription, begun) ? null : present.end;
}

/** How many of the next periods are billing cycles: a coupon may make some free. */
function chargedOf(subscription: LockedSubscription, periods: number): number {
  const { product_id: planId, amount } = subscription;
  let of: LockedSubscription = subscription;
  let charged = 0;
  for (let period = 0; period < periods; period++) {
    if (renewalTotal(of, { planId, amount }) > 0) charged++;
    of = { ...of, ...couponOn(of, planId, { beginsPeriod: true }) };
  }
  return charged;
}

export interface CancelChange extends Operation {
  readonly changeId: string;
}

const changeToCancel = z.object({ status: z.string(), effective_at: z.string() });

/**
 * Cancels a scheduled change of any kind, unless the change is due and only the end of the period is late, or withdraws
 * one that waits for its buyer.
 */
export function cancelChange(pool: Pool, operation: CancelChange): Promise<OperationAnswer> {
  const { changeId } = operation;
  return operate(pool, 'cancelChange', operation, async (tx, subscription) => {
    const change = await tx.maybeOne(sql.type(changeToCancel)`
      select status, effective_at from subscription_changes
      where id = ${changeId} and subscription_id = ${subscription.id} for update
    `);
    if (!change) return refused('subscription_change_not_found');
    if (change.status === 'requires_action') {
      await recordChangeEvent(tx, await closeUnpaidChange(tx, subscription, 'cancelled'));
      return done(changeId);
    }
    const isDue = Date.parse(change.effective_at) <= Date.parse(subscription.now);
    if (change.status !== 'scheduled' || isDue) return refused('subscription_change_not_scheduled');
    await tx.query(sql.typeAlias('void')`
      update subscription_changes set status = 'cancelled', updated_at = ${subscription.now} where id = ${changeId}
    `);
    await recordChangeEvent(tx, subscription);
    return done(changeId);
  });
}

async function recordChangeEvent(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const now = await saveSubscription(tx, subscription, {});
  await recordSubscriptionEvent(tx, now, { type: 'subscription.updated' });
}

/** Returns whether the change exceeds a moving clock's limit, computed from the plans known at its start (rule 37). */
function isTooMuchWork(
  { clock_target: to }: LockedSubscription,
  effectiveAt: string,
  { interval, interval_count }: Target,
): boolean {
  return to !== null && interval !== null && crossesTooMany(effectiveAt, to, { interval, interval_count });
}
