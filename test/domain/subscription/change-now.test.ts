import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, boundary, type Interval } from '../../../domain/core/calendar.ts';
import { changeNow, isOutdated } from '../../../domain/subscription/change-now.ts';
import type { InvoicedPart, Period } from '../../../domain/subscription/proration.ts';

const MONTH: Period = { start: '2027-01-31T09:00:00.000Z', end: '2027-02-28T09:00:00.000Z' };
const monthly = { interval: 'month', intervalCount: 1 } as const;
const yearly = { interval: 'year', intervalCount: 1 } as const;
const MIDDLE = addDays(MONTH.start, 14);
const part = (period: Period, paid: number, credited = 0): InvoicedPart => ({
  ...period,
  paid,
  credited,
  taxRate: 19,
});
const terms = (unitAmount: number) => ({ unitAmount, taxRate: 19 });

describe('a change that takes effect now', () => {
  test('of the same interval credits the unused share and charges the rest of the period', () => {
    const change = changeNow({
      terms: terms(1_900),
      every: monthly,
      before: monthly,
      period: MONTH,
      at: MIDDLE,
      paid: [part(MONTH, 900)],
    });
    expect(change.period).toEqual({ start: MIDDLE, end: MONTH.end });
    expect(change.lines.map(({ key, amount }) => [key, amount])).toEqual([
      ['unused', -450],
      ['rest', 950],
    ]);
    expect(change.total).toBe(500);
  });

  test('to another interval charges a whole period from now', () => {
    const change = changeNow({
      terms: terms(9_000),
      every: yearly,
      before: monthly,
      period: MONTH,
      at: MIDDLE,
      paid: [part(MONTH, 900)],
    });
    expect(change.period).toEqual({ start: MIDDLE, end: boundary(MIDDLE, 'year', 1) });
    expect(change.lines.map(({ key, amount }) => [key, amount])).toEqual([
      ['unused', -450],
      ['period', 9_000],
    ]);
  });

  test('costs at most a cent if repeated at the same instant, after any sequence of changes', () => {
    const change = fc.record({
      hours: fc.integer({ min: 1, max: 400 }),
      unitAmount: fc.integer({ min: 1, max: 100_000 }),
      interval: fc.constantFrom<Interval>('month', 'year'),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
        let period = MONTH;
        let before: { interval: Interval; intervalCount: number } = monthly;
        let at = MONTH.start;
        const paid = [part(MONTH, 900)];
        for (const { hours, unitAmount, interval } of changes) {
          at = new Date(Date.parse(at) + hours * 3_600_000).toISOString();
          if (at >= period.end) return;
          const every = { interval, intervalCount: 1 };
          const changed = changeNow({ terms: terms(unitAmount), every, before, period, at, paid });
          expect(changed.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(changed.total);
          if (changed.total <= 0) continue;
          if (interval !== before.interval) period = changed.period;
          before = every;
          const credit = changed.lines.find(({ key }) => key === 'unused')?.amount ?? 0;
          paid.push(part(changed.period, changed.total, 0 - credit));
          // The new plan counts at its full price, because the credit covered the difference.
          const again = changeNow({ terms: terms(unitAmount), every, before, period, at, paid });
          expect(Math.abs(again.total)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});

describe('a preview', () => {
  const now = addDays(MONTH.start, 1);
  const minutesAgo = (minutes: number) => new Date(Date.parse(now) - minutes * 60_000).toISOString();
  const shown = { now, period: MONTH, changedAt: [MONTH.start] };

  test('is valid for 15 minutes within its period, unless something changes', () => {
    expect(isOutdated({ ...shown, calculatedAt: minutesAgo(15) })).toBe(false);
    expect(isOutdated({ ...shown, calculatedAt: minutesAgo(15.1) })).toBe(true);
    expect(isOutdated({ ...shown, calculatedAt: minutesAgo(-1) })).toBe(true);
    expect(isOutdated({ ...shown, calculatedAt: minutesAgo(5), changedAt: [minutesAgo(4)] })).toBe(true);
    const begun = { ...MONTH, start: minutesAgo(2) };
    expect(isOutdated({ ...shown, period: begun, calculatedAt: minutesAgo(5) })).toBe(true);
  });

  test('of a period without an end is valid for 15 minutes from its start on', () => {
    const open = { ...shown, period: { start: minutesAgo(10), end: null } };
    expect([16, 15, 10, 5].map((ago) => isOutdated({ ...open, calculatedAt: minutesAgo(ago) }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const old = { ...shown, period: { start: minutesAgo(100), end: null } };
    expect(isOutdated({ ...old, calculatedAt: minutesAgo(16) })).toBe(true);
  });
});
