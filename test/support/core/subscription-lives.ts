/** Random lives of one subscription by the calculation alone: its properties hold in every one. */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { boundary, type Interval, periodFrom } from '../../../domain/core/calendar.ts';
import {
  type Calculation,
  calculate,
  type InvoicedPart,
  type Period,
  type PeriodTerms,
} from '../../../domain/subscription/calculation.ts';

const terms: fc.Arbitrary<PeriodTerms> = fc.record({
  unitAmount: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 99_999 })),
  taxRate: fc.constantFrom(0, 7, 19, 20, 5.5),
  quantity: fc.integer({ min: 1, max: 1_000 }),
  coupon: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    fc.record({ percent: fc.integer({ min: 1, max: 100 }) }),
    fc.record({ amount: fc.integer({ min: 1, max: 3_000 }) }),
  ),
});

type Deed =
  | { readonly what: 'change'; readonly to: PeriodTerms; readonly after: number }
  | { readonly what: 'takeBack'; readonly share: number }
  | { readonly what: 'renew' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('change' as const),
      to: terms,
      // The share of the remaining time until the change; 0: at the same instant as the previous one.
      after: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('takeBack' as const),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ what: 'renew' as const }) },
);

/** Anchors include month ends and leap days. */
const anchor = fc
  .record({
    month: fc.integer({ min: 0, max: 59 }),
    day: fc.integer({ min: 1, max: 31 }),
    ms: fc.nat(86_399_999),
  })
  .map(({ month, day, ms }) => new Date(Date.UTC(2027, month, day) + ms).toISOString());
const interval = fc.constantFrom<readonly [Interval, number]>(
  ['day', 1],
  ['week', 1],
  ['month', 1],
  ['month', 3],
  ['year', 1],
);

export function checkLives(numRuns: number): void {
  fc.assert(fc.property(anchor, interval, terms, fc.array(deed, { maxLength: 12 }), live), { numRuns });
}

function live(
  start: string,
  [unit, count]: readonly [Interval, number],
  first: PeriodTerms,
  deeds: readonly Deed[],
) {
  const next = (from: string): Period => periodFrom(start, from, unit, count);
  let period = { start, end: boundary(start, unit, count) };
  let now = first;
  let parts: InvoicedPart[] = [];
  charge(calculate({ terms: now, period }), period.start);

  for (const one of deeds) {
    if (one.what === 'renew') {
      period = next(period.end);
      parts = [];
      const renewal = calculate({ terms: now, period });
      // After any sequence, a renewal is the price times the quantity less the coupon.
      expect(renewal).toEqual(calculate({ terms: now, period, replaces: [] }));
      charge(renewal, period.start);
    } else if (one.what === 'takeBack') {
      const at = parts.length - 1;
      parts = parts.map((part, n) =>
        n === at ? { ...part, paid: Math.floor(part.paid * one.share) } : part,
      );
    } else changeTo(one.to, one.after);
  }

  function changeTo(to: PeriodTerms, after: number): void {
    const since = Date.parse(parts.at(-1)?.start ?? period.start);
    const at = new Date(since + Math.floor(after * (Date.parse(period.end) - since))).toISOString();
    const there = calculate({ terms: to, period, from: at, replaces: parts });
    checkLines(there);
    const credit = creditOf(there);
    // Never more than the amount paid for the replaced part and not yet returned.
    expect(credit).toBeLessThanOrEqual(
      parts.reduce((sum, { paid }) => sum + Math.max(paid, 0), 0) + parts.length,
    );
    // A change there and back at one instant returns the charge, to the cent.
    const restOfNew = there.total + credit;
    const back = calculate({ terms: now, period, from: at, replaces: [...parts, partOf(there, at)] });
    expect(creditOf(back)).toBe(restOfNew);
    // Only changes that cost something take effect at once.
    if (there.total <= 0) return;
    charge(there, at);
    now = to;
  }

  function charge(calculation: Calculation, at: string): void {
    checkLines(calculation);
    parts = [...parts, partOf(calculation, at)];
  }

  function partOf({ total, lines }: Calculation, at: string): InvoicedPart {
    return { start: at, end: period.end, paid: total, taxRate: lines.at(-1)?.taxRate ?? 0 };
  }
}

function creditOf({ lines }: Calculation): number {
  return 0 - (lines.find(({ key }) => key === 'unused')?.amount ?? 0);
}

function checkLines({ lines, total }: Calculation): void {
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
  for (const { key, amount, taxAmount, taxRate } of lines) {
    expect(Number.isSafeInteger(amount)).toBe(true);
    const exact = (amount * taxRate) / (100 + taxRate);
    // A discount's is the difference of two rounded taxes.
    expect(Math.abs(taxAmount - exact)).toBeLessThanOrEqual((key === 'discount' ? 1 : 0.5) + 1e-6);
  }
}
