/**
 * The terms of a subscription's next period, including the scheduled change, the coupon and the announced price move.
 */
import { z } from 'zod';
import { couponAsJson, storedCoupon } from '../../catalogue/stored-coupon.ts';
import { sql } from '../../core/pool.ts';
import { announcedMove, announcedMoveOf, movedAt } from './announced-price-move.ts';
import { renewalTotal } from './subscription-row.ts';

export const renewalTerms = z.object({
  amount: z.number(),
  quantity: z.number(),
  price_id: z.string(),
  price_move: announcedMove.nullable(),
  plan_id: z.string(),
  product_id: z.string(),
  coupon: storedCoupon.nullable(),
  coupon_used_periods: z.number(),
});

/** Selects the terms of subscription `s`, whose scheduled change is joined as `change`. */
export const selectRenewalTerms = sql.fragment`jsonb_build_object(
  'amount', coalesce(change.amount, s.amount), 'quantity', coalesce(change.quantity, s.quantity),
  'price_id', coalesce(change.target_price_id, s.price_id), 'price_move', ${announcedMoveOf(sql.fragment`s`)},
  'plan_id', coalesce(change.target_plan_id, s.product_id), 'product_id', s.product_id,
  'coupon', ${couponAsJson(sql.fragment`s.coupon_id`)}, 'coupon_used_periods', s.coupon_used_periods)`;

/** Returns the charge, in cents, for a next period that begins at the given instant. */
export function renewalTotalAt(
  { plan_id: planId, price_move: move, ...now }: z.infer<typeof renewalTerms>,
  at: string,
): number {
  return renewalTotal(now, { planId, amount: movedAt(move, now, at).amount });
}
