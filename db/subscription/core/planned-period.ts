/** The terms of a subscription's next period: the scheduled change, the price move and the coupon included. */
import { z } from 'zod';
import { boundary } from '../../../domain/core/calendar.ts';
import type { Calculation } from '../../../domain/subscription/proration.ts';
import { sql, type Transaction } from '../../core/pool.ts';
import { movedAt } from './announced-price-move.ts';
import { renewalTotalAt } from './next-renewal.ts';
import { billedPlan, calculatePeriod } from './subscription-invoices.ts';
import { couponOn, cyclesLeftAfter, isLastPeriod, type LockedSubscription } from './subscription-row.ts';

const changeToApply = z.object({
  id: z.string(),
  type: z.string(),
  target_plan_id: z.string(),
  target_price_id: z.string(),
  target_offering_id: z.string().nullable(),
  amount: z.number(),
  quantity: z.number(),
  /** True if the old plan is billed in days or weeks: the new plan's months are then counted from its first day. */
  from_days: z.boolean(),
});
export type ChangeToApply = z.infer<typeof changeToApply>;

/** Returns the scheduled change; null if it was requested after this overdue boundary. */
export function changeAt(
  tx: Transaction,
  subscriptionId: string,
  boundaryAt: string,
): Promise<ChangeToApply | null> {
  return tx.maybeOne(sql.type(changeToApply)`
    select c.id, c.type, c.target_plan_id, c.target_price_id, c.target_offering_id, c.amount, c.quantity,
      price.interval in ('day', 'week') as from_days
    from subscription_changes c
    join subscriptions s on s.id = c.subscription_id
    join prices price on price.id = s.price_id
    where s.id = ${subscriptionId} and c.status = 'scheduled' and c.effective_at <= ${boundaryAt} for update of c
  `);
}

/** Returns the subscription with the terms of the next period, which begins at `at`. */
export function plannedWith(
  subscription: LockedSubscription,
  change: ChangeToApply | null,
  at: string,
): LockedSubscription {
  const planned = termsAt(subscription, change, at);
  return { ...planned, ...couponOn(subscription, planned.product_id, { beginsPeriod: true }) };
}

/** A scheduled change takes precedence: if it leads to another price, the price move no longer applies. */
export function termsAt(
  subscription: LockedSubscription,
  change: ChangeToApply | null,
  at: string,
): LockedSubscription {
  const changed = change ? { ...subscription, ...planOf(change) } : subscription;
  return movedAt(subscription.price_move, changed, at);
}

function planOf(change: ChangeToApply) {
  const { target_plan_id, target_price_id, target_offering_id, amount, quantity } = change;
  return {
    product_id: target_plan_id,
    price_id: target_price_id,
    offering_id: target_offering_id,
    amount,
    quantity,
  };
}

export interface NextPeriod extends Calculation {
  /** Null if the subscription ends with that period. */
  readonly nextRenewal: { readonly at: string; readonly total: number } | null;
}

/** Calculates what resuming charges: a period that begins at an instant, or nothing if the pause has not begun. */
export async function calculateResumption(
  tx: Transaction,
  subscription: LockedSubscription,
  at: string,
): Promise<NextPeriod> {
  if (subscription.status !== 'paused') {
    const { current_period_end: end, cancel_at_period_end: ends } = subscription;
    const renews = end !== null && !ends && !isLastPeriod(subscription);
    return { lines: [], total: 0, nextRenewal: renews ? renewalOf(subscription, end) : null };
  }
  return calculateNext(tx, subscription, null, at);
}

/** Calculates what the period that begins at an instant charges, under the change that it applies. */
export async function calculateNext(
  tx: Transaction,
  subscription: LockedSubscription,
  change: ChangeToApply | null,
  at: string,
): Promise<NextPeriod> {
  const planned = plannedWith(subscription, change, at);
  const plan = await billedPlan(tx, planned);
  const period = { start: at, end: boundary(at, plan.interval, plan.interval_count) };
  const { lines, total } = calculatePeriod(planned, plan, period);
  const cyclesLeft = cyclesLeftAfter(subscription, { beginsPeriod: total > 0 });
  return { lines, total, nextRenewal: cyclesLeft === 0 ? null : renewalOf(planned, period.end) };
}

/** Returns the renewal that follows the current period, if no change is scheduled. */
export function renewalOf(subscription: LockedSubscription, at: string): { at: string; total: number } {
  return { at, total: renewalTotalAt({ ...subscription, plan_id: subscription.product_id }, at) };
}
