/** Random coupons, and the books of one: counted down, and computed in another way than the domain does. */
import fc from 'fast-check';
import type { Deduction } from '../../../domain/catalogue/coupon.ts';

/** Plans of a life, known by their number. */
export const PLANS = 4;

/** A coupon as a merchant defines it. */
export interface GivenCoupon {
  readonly deduction: Deduction;
  readonly duration: 'once' | 'repeating' | 'forever';
  readonly periods: number;
  /** The plans that it is for, by number; null for all. */
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

/** A coupon's rules, counted down: what the documents promise. */
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

  /** What a whole period costs. */
  priceOf(unitAmount: number, quantity: number): number {
    const whole = unitAmount * quantity;
    if (!this.#applies || !this.#given) return whole;
    const { deduction } = this.#given;
    if ('amount' in deduction) return Math.max(0, whole - deduction.amount);
    return whole - Math.round((whole * deduction.percent) / 100);
  }
}
