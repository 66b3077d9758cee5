import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  afterPlanChange,
  atNextPeriod,
  type Coupon,
  type CouponInForce,
  type CouponTerms,
  comparedCode,
  type Deduction,
  deductedFrom,
  refusalOfCoupon,
} from '../../../domain/catalogue/coupon.ts';
import { MAX_CENTS } from '../../../domain/core/money.ts';
import { taxIncludedCents } from '../../../domain/core/tax.ts';
import { priceLines } from '../../../domain/subscription/proration.ts';

const HALF: CouponTerms = { deduction: { percent: 50 }, duration: 'once', productIds: null };
const coupon: Coupon = {
  terms: HALF,
  firstPurchaseOnly: false,
  validFrom: null,
  validUntil: null,
  maxRedemptions: null,
  maxPerCustomer: null,
  isStopped: false,
};
const redemption = {
  productId: 'ap_prd_1',
  now: '2026-11-28T12:00:00.000Z',
  redemptions: 3,
  byCustomer: 1,
  isFirstPurchase: false,
};

describe('a coupon', () => {
  test.each<[string, Coupon | null, string | null]>([
    ['without limits is redeemable', coupon, null],
    ['that does not exist is invalid', null, 'coupon_invalid'],
    ['that was stopped is invalid', { ...coupon, isStopped: true }, 'coupon_invalid'],
    [
      'for another product is invalid',
      { ...coupon, terms: { ...HALF, productIds: ['ap_prd_2'] } },
      'coupon_invalid',
    ],
    ['for this product is redeemable', { ...coupon, terms: { ...HALF, productIds: ['ap_prd_1'] } }, null],
    ['is valid from its first instant', { ...coupon, validFrom: redemption.now }, null],
    [
      'is not valid before its first instant',
      { ...coupon, validFrom: '2026-11-28T12:00:00.001Z' },
      'coupon_not_redeemable',
    ],
    ['is valid up to its last instant', { ...coupon, validUntil: '2026-11-28T12:00:00.001Z' }, null],
    ['is not valid at its end', { ...coupon, validUntil: redemption.now }, 'coupon_not_redeemable'],
    [
      'compares instants across UTC offsets',
      { ...coupon, validUntil: '2026-11-28T13:00:00+01:00' },
      'coupon_not_redeemable',
    ],
    ['is redeemable while one redemption is left', { ...coupon, maxRedemptions: 4 }, null],
    ['is used up once no redemption is left', { ...coupon, maxRedemptions: 3 }, 'coupon_not_redeemable'],
    ['is redeemable by a customer below the per-customer limit', { ...coupon, maxPerCustomer: 2 }, null],
    [
      'is used up for a customer at the per-customer limit',
      { ...coupon, maxPerCustomer: 1 },
      'coupon_not_redeemable',
    ],
    [
      'for first purchases is not redeemable later',
      { ...coupon, firstPurchaseOnly: true },
      'coupon_not_redeemable',
    ],
  ])('%s', (_name, given, refusal) => {
    expect(refusalOfCoupon(given, redemption)).toBe(refusal);
  });

  test('for first purchases is redeemable for the first purchase', () => {
    const first = { ...redemption, isFirstPurchase: true };
    expect(refusalOfCoupon({ ...coupon, firstPurchaseOnly: true }, first)).toBeNull();
  });

  test('is found by its code in any letter case, ignoring surrounding white space', () => {
    for (const typed of ['Spring24', ' SPRING24', 'spring24\n']) expect(comparedCode(typed)).toBe('SPRING24');
    expect(comparedCode('strasse')).toBe(comparedCode('straße'));
  });
});

describe('a deduction', () => {
  test('of a percentage is rounded half up to the cent', () => {
    expect([1, 49, 50, 149, 150].map((price) => deductedFrom(price, { percent: 1 }))).toEqual([
      0, 0, 1, 1, 2,
    ]);
    expect(deductedFrom(999, { percent: 50 })).toBe(500);
  });

  test('of a fixed amount is at most the price', () => {
    expect([499, 500, 501].map((price) => deductedFrom(price, { amount: 500 }))).toEqual([499, 500, 500]);
  });

  test.each([0, 101, 1.5, -1, Number.NaN])('of %p percent is refused', (percent) => {
    expect(() => deductedFrom(100, { percent })).toThrow(RangeError);
  });
});

const deduction: fc.Arbitrary<Deduction> = fc.oneof(
  fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ amount: fc.integer({ min: 1, max: MAX_CENTS }) }),
);
const terms = fc
  .record({
    quantity: fc.integer({ min: 1, max: 10_000 }),
    taxRate: fc.constantFrom(0, 5.5, 7, 19, 20),
    coupon: deduction,
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ share, ...rest }) => ({ ...rest, unitAmount: Math.floor((share * MAX_CENTS) / rest.quantity) }));

test('the lines of a discounted price add up to it, at one tax rate and never below zero', () => {
  fc.assert(
    fc.property(terms, (given) => {
      const lines = priceLines(given);
      const total = lines.reduce((sum, { amount }) => sum + amount, 0);
      const [price, discount] = lines;
      expect(price?.amount).toBe(given.unitAmount * given.quantity);
      expect(total).toBe((price?.amount ?? 0) - deductedFrom(price?.amount ?? 0, given.coupon));
      expect(total).toBeGreaterThanOrEqual(0);
      for (const { amount, quantity, unitAmount, taxRate, taxAmount } of lines) {
        expect(quantity * unitAmount).toBe(amount);
        expect(taxRate).toBe(given.taxRate);
        // The discount line absorbs the rounding, so that the lines' tax equals the tax on the amount paid.
        const rounding = Math.abs(taxAmount) - taxIncludedCents(Math.abs(amount), taxRate);
        expect(Math.abs(rounding)).toBeLessThanOrEqual(amount < 0 ? 1 : 0);
      }
      const tax = lines.reduce((sum, { taxAmount }) => sum + taxAmount, 0);
      expect(tax).toBe(taxIncludedCents(total, given.taxRate));
      expect(lines).toHaveLength(discount ? 2 : 1);
      expect(discount?.amount).not.toBe(0);
    }),
    { numRuns: 500 },
  );
});

describe('a coupon in force', () => {
  const inForce = (duration: CouponTerms, usedPeriods = 0): CouponInForce => ({
    terms: duration,
    usedPeriods,
  });
  const [once, forever] = [HALF, { ...HALF, duration: 'forever' } as const];
  const repeating = { ...HALF, duration: 'repeating', periods: 3 } as const;

  /** How many of the `periods` charged periods are discounted. */
  function discounted(start: CouponInForce, periods: number): number {
    let now: CouponInForce | null = start;
    let count = 0;
    for (let period = 0; period < periods; period++) {
      now = now && atNextPeriod(now);
      if (now) count++;
    }
    return count;
  }

  test.each([
    ['once', once, 1],
    ['repeating', repeating, 3],
    ['forever', forever, 24],
  ] as const)('with duration %s discounts only its own charged periods', (_duration, given, count) => {
    expect(discounted(inForce(given), 24)).toBe(count);
  });

  test('for one period is used up by a change of plan', () => {
    expect(afterPlanChange(inForce(once), 'ap_prd_2')).toBeNull();
  });

  test('continues after a change to a plan that it covers', () => {
    const ofOne = { ...repeating, productIds: ['ap_prd_1'] };
    expect(afterPlanChange(inForce(ofOne, 1), 'ap_prd_1')).toEqual(inForce(ofOne, 1));
    expect(afterPlanChange(inForce(ofOne, 1), 'ap_prd_2')).toBeNull();
    expect(afterPlanChange(inForce(forever), 'ap_prd_2')).toEqual(inForce(forever));
  });
});
