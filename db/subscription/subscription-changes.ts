/** Changes of plan, offering or quantity, scheduled for the end of the period (docs/contract.md#subscription). */
import { z } from 'zod';
import type { SubscriptionUpdate } from '../../contract/subscription/details.ts';
import { periodAt } from '../../domain/core/calendar.ts';
import { isOutdated } from '../../domain/subscription/change-now.ts';
import type { WantedChange } from '../../domain/subscription/operations.ts';
import type { Period } from '../../domain/subscription/proration.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { crossesTooMany } from './advance-subscription.ts';
import { type ChosenTarget, chosenTarget } from './calculate-change.ts';
import { chooseTarget, type Target } from './change-target.ts';
import { renewalTotalAt } from './core/next-renewal.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { closeUnpaidChange, intervalOf } from './core/subscription-invoices.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  operate,
  type Refused,
  refused,
} from './core/subscription-operations.ts';
import {
  changedAtOf,
  couponOn,
  type LockedSubscription,
  renewalTotal,
  saveSubscription,
} from './core/subscription-row.ts';

export type ScheduleChange = Operation & WantedChange;

/**
 * Schedules a change for the end of the current period or trial, which is read under the lock that guards it (rule 25).
 */
export function scheduleChange(pool: Pool, operation: ScheduleChange): Promise<OperationAnswer> {
  return operate(pool, 'scheduleChange', operation, async (tx, subscription) => {
    const planned = await planChange(tx, subscription, operation);
    if ('kind' in planned) return planned;
    const { target, effectiveAt } = planned;
    if (isTooMuchWork(subscription, effectiveAt, target)) return refused('advances_running');
    const { planId, offeringId, priceId, amount, quantity } = chosenTarget(target);
    const changeId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into subscription_changes (subscription_id, type, target_plan_id, target_offering_id, target_price_id,
        amount, quantity, effective_at, created_at, updated_at)
      values (${subscription.id}, ${operation.type}, ${planId}, ${offeringId}, ${priceId}, ${amount}, ${quantity},
        ${effectiveAt}, ${subscription.now}, ${subscription.now})
      returning id
    `);
    await recordChangeEvent(
      tx,
      subscription,
      operation.type === 'quantity_change' ? 'quantity_change_scheduled' : 'plan_change_scheduled',
    );
    return done(changeId);
  });
}

interface PlannedChange {
  readonly target: Target;
  readonly effectiveAt: string;
  /** Amount of the renewal's charge at `effectiveAt`, in cents. */
  readonly total: number;
}

/** Calculates a change at the end of the current period or trial, for both its preview and the change itself. */
export async function planChange(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: WantedChange,
): Promise<PlannedChange | Refused> {
  const target = await chooseTarget(tx, subscription, wanted);
  if ('kind' in target) return target;
  const period = await presentPeriod(tx, subscription);
  if (period === null) return refused('subscription_cancel_scheduled');
  const total = totalAt(subscription, chosenTarget(target), period.end);
  const { calculatedAt } = wanted;
  const { now } = subscription;
  const changedAt = [...changedAtOf(subscription), String(target.priced_at)];
  if (calculatedAt !== null && isOutdated({ calculatedAt, now, period, changedAt }))
    return refused('preview_outdated', total);
  return { target, effectiveAt: period.end, total };
}

/**
 * Returns the charge for the renewal at an instant. A change of quantity keeps the price, which a price move may have
 * replaced by then.
 */
export function totalAt(
  subscription: LockedSubscription,
  { planId, priceId, quantity, amount }: ChosenTarget,
  at: string,
): number {
  return renewalTotalAt({ ...subscription, plan_id: planId, price_id: priceId, quantity, amount }, at);
}

/**
 * Returns the current period; null if the subscription ends with it. After an outage, also counts the periods that
 * began since the stored one ended.
 */
async function presentPeriod(tx: Transaction, subscription: LockedSubscription): Promise<Period | null> {
  const {
    id,
    now,
    price_id,
    current_period_start,
    current_period_end,
    billing_anchor,
    billing_cycles_left: cyclesLeft,
  } = subscription;
  if (!current_period_start || !current_period_end || !billing_anchor) throw new Error(`${id} has no period`);
  if (Date.parse(current_period_end) > Date.parse(now))
    return { start: current_period_start, end: current_period_end };
  const { interval, interval_count: count } = await intervalOf(tx, price_id);
  const present = periodAt(billing_anchor, current_period_end, now, interval, count);
  if (cyclesLeft === null) return present;
  // Periods that wait for a payment are skipped; only the last one is charged.
  const begun = subscription.next_period_waits ? 1 : present.number;
  return cyclesLeft <= chargedOf(subscription, begun) ? null : present;
}

/** Counts the billing cycles that the next periods use: periods that a coupon makes free use none. */
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
 * Cancels a scheduled change of any kind, or withdraws a change that waits for its buyer. A change that is due cannot
 * be cancelled, even if the end of the period is processed late.
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
      await recordChangeEvent(tx, await closeUnpaidChange(tx, subscription, 'cancelled'), 'change_withdrawn');
      return done(changeId);
    }
    const isDue = Date.parse(change.effective_at) <= Date.parse(subscription.now);
    if (change.status !== 'scheduled' || isDue) return refused('subscription_change_not_scheduled');
    await tx.query(sql.typeAlias('void')`
      update subscription_changes set status = 'cancelled', updated_at = ${subscription.now} where id = ${changeId}
    `);
    await recordChangeEvent(tx, subscription, 'change_withdrawn');
    return done(changeId);
  });
}

async function recordChangeEvent(
  tx: Transaction,
  subscription: LockedSubscription,
  change: SubscriptionUpdate,
): Promise<void> {
  const now = await saveSubscription(tx, subscription, {});
  await recordSubscriptionEvent(tx, now, { type: 'subscription.updated', change });
}

/** Returns whether the change exceeds a moving clock's work limit, computed from the plans at its start (rule 37). */
function isTooMuchWork(
  { clock_target: to }: LockedSubscription,
  effectiveAt: string,
  { interval, interval_count }: Target,
): boolean {
  return to !== null && interval !== null && crossesTooMany(effectiveAt, to, { interval, interval_count });
}
