import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { assertCents, CURRENCIES, plainAmount } from '../../../domain/core/money.ts';
import { taxIncludedCents } from '../../../domain/core/tax.ts';

/** The ranges of the database columns: `integer` cents and a `numeric(5, 2)` rate. */
const cents = fc.integer({ min: 0, max: 2_147_483_647 });
const rateHundredths = fc.integer({ min: 0, max: 99_999 });

describe('the tax contained in a price', () => {
  test.each([
    [1_900, 19, 303],
    [119, 19, 19],
    [107, 7, 7],
    [1_055, 5.5, 55],
    [1_081, 8.1, 81],
    [1, 19, 0],
    [0, 19, 0],
    [1_900, 0, 0],
  ])('%d cents at %d %% contain %d cents of tax', (gross, rate, tax) => {
    expect(taxIncludedCents(gross, rate)).toBe(tax);
  });

  test('rounds half a cent up', () => {
    expect(taxIncludedCents(1, 100)).toBe(1);
    expect(taxIncludedCents(3, 100)).toBe(2);
  });

  test('is the exact fraction rounded to the nearest cent, for every amount and rate that can be stored', () => {
    fc.assert(
      fc.property(cents, rateHundredths, (gross, rate) => {
        const tax = taxIncludedCents(gross, rate / 100);
        expect(Number.isSafeInteger(tax)).toBe(true);
        // exact = gross * rate / divisor; both sides are doubled to avoid fractions.
        const divisor = 10_000n + BigInt(rate);
        const distance = 2n * BigInt(gross) * BigInt(rate) - 2n * BigInt(tax) * divisor;
        expect(distance >= -divisor && distance < divisor).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('never exceeds the price; net and tax are valid amounts that add up to it', () => {
    fc.assert(
      fc.property(cents, rateHundredths, (gross, rate) => {
        const tax = taxIncludedCents(gross, rate / 100);
        const net = gross - tax;
        assertCents(tax);
        assertCents(net);
        // Applying the rate to the net yields the tax, within the net's rounding.
        const tolerance = 0.5 + rate / 20_000 + 1e-6;
        expect(Math.abs((net * rate) / 10_000 - tax)).toBeLessThanOrEqual(tolerance);
      }),
      { numRuns: 2_000 },
    );
  });

  test('grows with the price and with the rate', () => {
    fc.assert(
      fc.property(cents, rateHundredths, (gross, rate) => {
        fc.pre(gross > 0 && rate > 0);
        const tax = taxIncludedCents(gross, rate / 100);
        expect(taxIncludedCents(gross - 1, rate / 100)).toBeLessThanOrEqual(tax);
        expect(taxIncludedCents(gross, (rate - 1) / 100)).toBeLessThanOrEqual(tax);
      }),
    );
  });
});

describe('an amount in cents', () => {
  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])(
    'cannot be %d',
    (amount) => {
      expect(() => assertCents(amount)).toThrow(RangeError);
      expect(() => taxIncludedCents(amount, 19)).toThrow(RangeError);
    },
  );

  test('may be zero, as for a trial', () => {
    expect(() => assertCents(0)).not.toThrow();
  });
});

test.each(CURRENCIES)('%s has two decimals, as amounts in cents assume', (currency) => {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  expect(maximumFractionDigits).toBe(2);
});

test('operators see amounts in currency units with two decimals', () => {
  expect([5, 1_900, 123_456].map((amount) => plainAmount(amount, 'EUR'))).toEqual([
    '0.05 EUR',
    '19.00 EUR',
    '1234.56 EUR',
  ]);
});
