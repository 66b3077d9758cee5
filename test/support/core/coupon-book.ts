/** Random coupons, and an independent model of one, which counts down the charges that are left. */
import fc from 'fast-check';
import type { Deduction } from '../../../domain/catalogue/coupon.ts';

/** Number of plans in a life; each is identified by its index. */
export const PLANS = 4;

/** A coupon as a merchant defines it. */
export interface GivenCoupon {
  readonly deduction: Deduction;
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly periods: number;
  /** Indices of the plans that it applies to; null for all. */
  readonly plans: readonly number[] | null;
}

export const givenCoupon: fc.Arbitrary<GivenCoupon> = fc.record({
  deduction: fc.oneof(
    fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ amount: fc.integer({ min: 1, max: 3_000 }) }),
  ),
  duration: fc.constantFrom('once', 'repeating', 'forever'),
  periods: fc.integer({ min: 1, max: 4 }),
  plans: fc.option(fc.subarray([...Array(PLANS).keys()], { minLength: 1 })),
});

/** A coupon's rules as the documents promise them, with a countdown of the charges that are left. */
export class CouponBook {
  readonly #given: GivenCoupon | null;
  #left: number;
  #applies = false;

  constructor(given: GivenCoupon | null) {
    this.#given = given;
    this.#left = !given
      ? 0
      : { once: 1, repeating: given.periods, forever: Number.POSITIVE_INFINITY }[given.duration];
  }

  beginPeriod(): void {
    this.#applies = this.#left > 0;
    this.#left -= this.#applies ? 1 : 0;
  }

  changePlan(to: number): void {
    const goesOn = this.#given?.duration !== 'once' && (this.#given?.plans?.includes(to) ?? true);
    if (goesOn) return;
    this.#left = 0;
    this.#applies = false;
  }

  /** The price of a whole period, less the coupon. */
  priceOf(unitAmount: number, quantity: number): number {
    const whole = unitAmount * quantity;
    if (!this.#applies || !this.#given) return whole;
    const { deduction } = this.#given;
    if ('amount' in deduction) return Math.max(0, whole - deduction.amount);
    return whole - Math.round((whole * deduction.percent) / 100);
  }
}
