import type { Schemas } from '../api/description.ts';
import { dayOf, isolated, money, percent } from '../words/format.ts';
import { words } from '../words/words.ts';

type Coupon = Schemas['Coupon'];
type Deduction = Pick<Coupon, 'percent' | 'amount'>;

/** "20%", or "€5.00". */
function deductionText({ percent: share, amount }: Deduction): string {
  return share === null ? money(amount ?? 0, 'EUR') : percent(share / 100);
}

/** "20% off the first 3 charges". */
export function discountText({
  duration,
  periods,
  ...deduction
}: Deduction & Pick<Coupon, 'duration' | 'periods'>): string {
  return words.coupons.off[duration](deductionText(deduction), periods ?? 1);
}

/** "SPRING24: 20% off, 2 more charges". */
export function heldCouponText(coupon: NonNullable<Schemas['Subscription']['coupon']>): string {
  return words.subscriptions.couponText(isolated(coupon.code), deductionText(coupon), coupon.periods_left);
}

/** The first and the last day on which it can be redeemed. */
export function validityText({
  valid_from: from,
  valid_until: until,
}: Pick<Coupon, 'valid_from' | 'valid_until'>): string {
  const first = from && dayOf(from);
  const last = until && dayOf(new Date(Date.parse(until) - 1).toISOString());
  if (first && last) return words.coupons.fromUntil(first, last);
  if (first) return words.coupons.from(first);
  return last ? words.coupons.until(last) : words.coupons.always;
}
