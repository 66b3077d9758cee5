/** Facts that the hosted page of a method change shows in addition to the session `c`. */
import { z } from 'zod';
import { couponAsJson, storedCoupon } from '../catalogue/stored-coupon.ts';
import { sql } from '../core/pool.ts';
import { UNPAID } from '../invoice/unpaid.ts';
import { announcedMove, announcedMoveOf, movedAt } from '../subscription/announced-move.ts';
import { nextPeriodAt } from '../subscription/next-period.ts';
import { renewalTotal } from '../subscription/subscription-row.ts';

export const methodChangeFacts = z.object({
  current: z.object({ brand: z.string().nullable(), last4: z.string().nullable() }).nullable(),
  /** The unpaid amount in cents. */
  due: z.number(),
  /** The charge after the current period; null if the subscription then ends, or pauses without an end date. */
  next: z
    .object({
      at: z.string().transform((at) => new Date(at).toISOString()),
      amount: z.number(),
      quantity: z.number(),
      price_id: z.string(),
      price_move: announcedMove.nullable(),
      plan_id: z.string(),
      product_id: z.string(),
      coupon: storedCoupon.nullable(),
      coupon_used_periods: z.number(),
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: z.number(),
    })
    .transform(({ at, plan_id: planId, price_move, interval, interval_count, ...now }) => ({
      amount: renewalTotal(now, { planId, amount: movedAt(price_move, now, at).amount }),
      interval,
      interval_count,
    }))
    .nullable(),
  period_end: z.string().transform((at) => new Date(at).toISOString()),
  /** True if the subscription is paused, or will be at the end of the period, without an end date. */
  pauses: z.boolean(),
  /** True if a newer method change replaced this one, or the subscription has ended. */
  over: z.boolean(),
});

export const selectMethodChangeFacts = sql.fragment`(
  select jsonb_build_object(
    'current', s.payment_method,
    -- After a lost dispute, nothing is charged any more.
    'due', (select coalesce(sum(i.amount_due), 0) from invoices i
      where i.subscription_id = s.id and i.status in ${UNPAID} and s.charging_stopped_at is null),
    'next', case when not s.ends_with_period and ${nextPeriodAt(sql.fragment`s`)} is not null then jsonb_build_object(
      'at', ${nextPeriodAt(sql.fragment`s`)}, 'price_move', ${announcedMoveOf(sql.fragment`s`)}, 'price_id', price.id,
      'amount', coalesce(change.amount, s.amount), 'quantity', coalesce(change.quantity, s.quantity),
      'plan_id', coalesce(change.target_plan_id, s.product_id), 'product_id', s.product_id,
      'coupon', ${couponAsJson(sql.fragment`s.coupon_id`)}, 'coupon_used_periods', s.coupon_used_periods,
      'interval', price.interval,
      'interval_count', coalesce(price.interval_count, 1)) end,
    'period_end', coalesce(${nextPeriodAt(sql.fragment`s`)}, s.current_period_end),
    'pauses', not s.ends_with_period and ${nextPeriodAt(sql.fragment`s`)} is null,
    'over', s.status in ('cancelled', 'expired') or s.newest_method_change_id <> c.id)
  from subscriptions s
  left join subscription_changes change on change.subscription_id = s.id and change.status = 'scheduled'
  join prices price on price.id = coalesce(change.target_price_id, s.price_id)
  where s.id = c.subscription_id and c.invoice_id is null)`;
