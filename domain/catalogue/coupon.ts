/**
 * Coupons: whether they can be redeemed, their deductions, and the charged periods that they reduce. Pure; integer
 * cents.
 */
import { assertCents } from '../core/money.ts';

/** A whole percentage of the price (1 to 100), or an amount off each charged period; never more than the price. */
export type Deduction = { readonly percent: number } | { readonly amount: number };

/** `repeating` lasts for `periods` charged periods. */
export type CouponDuration =
  | { readonly duration: 'once' | 'forever' }
  | { readonly duration: 'repeating'; readonly periods: number };

/** Exactly one of `percent` and `amount` is set. */
export function deductionOf({
  percent,
  amount,
}: {
  readonly percent: number | null;
  readonly amount: number | null;
}): Deduction {
  return percent === null ? { amount: amount ?? 0 } : { percent };
}

export type CouponTerms = CouponDuration & {
  readonly deduction: Deduction;
  /** Null if the coupon is valid for every product of the merchant. */
  readonly productIds: readonly string[] | null;
};

export interface Coupon {
  readonly terms: CouponTerms;
  readonly firstPurchaseOnly: boolean;
  readonly validFrom: string | null;
  /** Exclusive: the coupon is not valid at this instant. */
  readonly validUntil: string | null;
  readonly maxRedemptions: number | null;
  readonly maxPerCustomer: number | null;
  readonly isStopped: boolean;
}

/** State of the coupon and customer, read while the coupon is locked. Redemptions include attempts in progress. */
export interface Redemption {
  readonly productId: string;
  readonly now: string;
  readonly redemptions: number;
  readonly byCustomer: number;
  readonly isFirstPurchase: boolean;
}

export type CouponRefusal = 'coupon_invalid' | 'coupon_not_redeemable';

/** Returns why the coupon cannot be redeemed; null if it can. Pass null for an unknown coupon. */
export function refusalOfCoupon(coupon: Coupon | null, redemption: Redemption): CouponRefusal | null {
  if (!coupon || coupon.isStopped || !isFor(coupon.terms, redemption.productId)) return 'coupon_invalid';
  const { validFrom, validUntil, maxRedemptions, maxPerCustomer, firstPurchaseOnly } = coupon;
  const isValid =
    (validFrom === null || Date.parse(redemption.now) >= Date.parse(validFrom)) &&
    (validUntil === null || Date.parse(redemption.now) < Date.parse(validUntil));
  const isLeft = redemption.redemptions < (maxRedemptions ?? Number.POSITIVE_INFINITY);
  const isLeftToCustomer = redemption.byCustomer < (maxPerCustomer ?? Number.POSITIVE_INFINITY);
  const isForPurchase = !firstPurchaseOnly || redemption.isFirstPurchase;
  return isValid && isLeft && isLeftToCustomer && isForPurchase ? null : 'coupon_not_redeemable';
}

function isFor({ productIds }: CouponTerms, productId: string): boolean {
  return productIds === null || productIds.includes(productId);
}

/**
 * The form in which codes are stored and compared, because buyers type them in any letter case and with white space.
 */
export function comparedCode(code: string): string {
  return code.trim().toUpperCase();
}

/** The deduction of a coupon from a price, rounded half up; at most the price. */
export function deductedFrom(price: number, deduction: Deduction): number {
  assertCents(price);
  if ('amount' in deduction) {
    assertCents(deduction.amount);
    return Math.min(deduction.amount, price);
  }
  const { percent } = deduction;
  if (!Number.isInteger(percent) || percent < 1 || percent > 100)
    throw new RangeError(`invalid coupon percentage: ${percent}`);
  return Math.floor((price * percent + 50) / 100);
}

/** A subscription's current coupon. */
export interface CouponInForce {
  readonly terms: CouponTerms;
  /** Charged periods that the coupon has reduced, including the current one; 0 in a trial. */
  readonly usedPeriods: number;
}

/** Returns the coupon as applied to the next charged period; null once it is used up. */
export function atNextPeriod(coupon: CouponInForce): CouponInForce | null {
  const { terms, usedPeriods } = coupon;
  return usedPeriods < periodsOf(terms) ? { terms, usedPeriods: usedPeriods + 1 } : null;
}

/**
 * Returns the coupon after a plan change: `once` is used up; others continue if they are valid for the target
 * plan.
 */
export function afterPlanChange(coupon: CouponInForce, targetPlanId: string): CouponInForce | null {
  return coupon.terms.duration !== 'once' && isFor(coupon.terms, targetPlanId) ? coupon : null;
}

/** How the subscription continues at its next charge. */
export interface GoesOn {
  /** The plan that the subscription changes to; null if it keeps its plan. */
  readonly targetPlanId: string | null;
  /** False if the change charges the rest of the current period. */
  readonly beginsPeriod: boolean;
}

/** Returns the coupon as applied to the next charge; null if none applies. */
export function couponFor(
  coupon: CouponInForce | null,
  { targetPlanId, beginsPeriod }: GoesOn,
): CouponInForce | null {
  const left = coupon && targetPlanId !== null ? afterPlanChange(coupon, targetPlanId) : coupon;
  return left && beginsPeriod ? atNextPeriod(left) : left;
}

function periodsOf(terms: CouponTerms): number {
  if (terms.duration === 'repeating') return terms.periods;
  return terms.duration === 'once' ? 1 : Number.POSITIVE_INFINITY;
}
