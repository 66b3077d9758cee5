/** A coupon's terms, which never change, as read together with a session or subscription. */
import { z } from 'zod';
import { type CouponDuration, type CouponTerms, deductionOf } from '../../domain/catalogue/coupon.ts';
import { type Fragment, sql } from '../core/pool.ts';

export const storedCoupon = z.object({
  id: z.string(),
  code: z.string(),
  percent: z.number().nullable(),
  amount: z.number().nullable(),
  duration: z.enum(['once', 'repeating', 'forever']),
  periods: z.number().nullable(),
  product_ids: z.array(z.string()).nullable(),
});
export type StoredCoupon = z.infer<typeof storedCoupon>;

/** Selects the coupon with an id as one object; null if there is none. */
export const couponAsJson = (id: Fragment) => sql.fragment`(
  select jsonb_build_object('id', k.id, 'code', k.code, 'percent', k.percent, 'amount', k.amount,
    'duration', k.duration, 'periods', k.periods, 'product_ids', k.product_ids)
  from coupons k where k.id = ${id})`;

export function termsOfCoupon(coupon: StoredCoupon): CouponTerms {
  return { ...durationOf(coupon), deduction: deductionOf(coupon), productIds: coupon.product_ids };
}

function durationOf({ duration, periods }: StoredCoupon): CouponDuration {
  return duration === 'repeating' ? { duration, periods: periods ?? 1 } : { duration };
}
