import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addDays,
  boundariesUntil,
  boundary,
  type Interval,
  periodAt,
  periodFrom,
  periodUntil,
} from '../../../domain/core/calendar.ts';

const DAY_MS = 86_400_000;
const INTERVALS: readonly Interval[] = ['day', 'week', 'month', 'year'];

const anchor = fc
  .date({
    min: new Date('2000-01-01T00:00:00Z'),
    max: new Date('2100-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());
/** The days on which month lengths matter. */
const monthEnd = fc
  .record({ year: fc.integer({ min: 2000, max: 2100 }), month: fc.integer({ min: 0, max: 11 }) })
  .map(({ year, month }) => new Date(Date.UTC(year, month + 1, 0, 23, 59, 59, 999)).toISOString());
const anyAnchor = fc.oneof(anchor, monthEnd);
const interval = fc.constantFrom(...INTERVALS);
const count = fc.integer({ min: 0, max: 240 });

const at = (day: string) => `${day}T10:20:30.456Z`;
const boundaries = (start: string, unit: Interval, counts: readonly number[]) =>
  counts.map((n) => boundary(at(start), unit, n));

describe('billing periods', () => {
  test('return to the anchor day after a short month: 31 January, 28 February, 31 March', () => {
    expect(boundaries('2027-01-31', 'month', [0, 1, 2, 3, 12])).toEqual(
      ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2028-01-31'].map(at),
    );
  });

  test('respect leap years, and count 2100 as a common year', () => {
    expect(boundaries('2028-01-31', 'month', [1])).toEqual([at('2028-02-29')]);
    expect(boundaries('2100-01-31', 'month', [1])).toEqual([at('2100-02-28')]);
    expect(boundaries('2028-02-29', 'year', [1, 3, 4])).toEqual(
      ['2029-02-28', '2031-02-28', '2032-02-29'].map(at),
    );
  });

  test('continue across the end of a year', () => {
    expect(boundaries('2026-11-30', 'month', [1, 2, 3])).toEqual(
      ['2026-12-30', '2027-01-30', '2027-02-28'].map(at),
    );
    expect(boundaries('2026-12-30', 'week', [1])).toEqual([at('2027-01-06')]);
    expect(boundaries('2026-12-31', 'day', [1])).toEqual([at('2027-01-01')]);
  });

  test('count days and weeks as 24 and 168 hours, because UTC has no summer time', () => {
    fc.assert(
      fc.property(anyAnchor, count, (start, n) => {
        expect(Date.parse(boundary(start, 'day', n)) - Date.parse(start)).toBe(n * DAY_MS);
        expect(Date.parse(boundary(start, 'week', n)) - Date.parse(start)).toBe(7 * n * DAY_MS);
        expect(addDays(start, n)).toBe(boundary(start, 'day', n));
      }),
    );
  });

  test('end on the anchor day, or on the last day of a shorter month', () => {
    fc.assert(
      fc.property(anyAnchor, count, fc.constantFrom<Interval>('month', 'year'), (start, n, unit) => {
        const from = new Date(start);
        const to = new Date(boundary(start, unit, n));
        const dayAfter = new Date(to.getTime() + DAY_MS);
        const isLastDay = dayAfter.getUTCDate() === 1;
        expect(
          to.getUTCDate() === from.getUTCDate() || (isLastDay && to.getUTCDate() < from.getUTCDate()),
        ).toBe(true);
        const months =
          (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
        expect(months).toBe(unit === 'month' ? n : 12 * n);
      }),
    );
  });

  test('begin at the anchor and keep its time of day', () => {
    fc.assert(
      fc.property(anyAnchor, interval, count, (start, unit, n) => {
        expect(boundary(start, unit, n).slice(10)).toBe(start.slice(10));
        expect(boundary(start, unit, 0)).toBe(start);
      }),
    );
  });

  test('are contiguous, without overlap or an empty period', () => {
    fc.assert(
      fc.property(anyAnchor, interval, count, (start, unit, n) => {
        expect(boundary(start, unit, n + 1) > boundary(start, unit, n)).toBe(true);
      }),
    );
  });

  test('are the same for 12 months as for one year', () => {
    fc.assert(
      fc.property(anyAnchor, fc.integer({ min: 0, max: 20 }), (start, n) => {
        expect(boundary(start, 'year', n)).toBe(boundary(start, 'month', 12 * n));
      }),
    );
  });
});

describe('the period that follows a boundary', () => {
  const from = (anchor: string, start: string, unit: Interval, n: number) =>
    periodFrom(at(anchor), at(start), unit, n);

  test('keeps the anchor while its boundaries still match', () => {
    expect(from('2027-01-31', '2027-02-28', 'month', 1)).toEqual({
      start: at('2027-02-28'),
      end: at('2027-03-31'),
      anchor: at('2027-01-31'),
    });
  });

  test('keeps the day when a monthly plan becomes a yearly plan', () => {
    expect(from('2027-01-31', '2027-02-28', 'year', 1).end).toBe(at('2028-02-29'));
    expect(from('2027-01-31', '2027-04-30', 'month', 3).end).toBe(at('2027-07-31'));
  });

  test('starts a new anchor when a plan changes between days and months', () => {
    expect(from('2027-01-31', '2027-02-28', 'week', 2)).toEqual({
      start: at('2027-02-28'),
      end: at('2027-03-14'),
      anchor: at('2027-02-28'),
    });
    expect(from('2027-01-31', '2027-03-14', 'month', 1)).toMatchObject({
      end: at('2027-04-14'),
      anchor: at('2027-03-14'),
    });
  });

  test('starts a new anchor if the boundary is before the old anchor', () => {
    expect(from('2027-03-31', '2027-02-28', 'month', 1)).toEqual({
      start: at('2027-02-28'),
      end: at('2027-03-28'),
      anchor: at('2027-02-28'),
    });
  });

  test('begins on a boundary of the anchor, even after many periods counted one by one', () => {
    fc.assert(
      fc.property(
        anyAnchor,
        interval,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (first, unit, step, periods) => {
          let period = periodFrom(first, first, unit, step);
          for (let n = 1; n < periods; n++) {
            const next = periodFrom(period.anchor, period.end, unit, step);
            expect(next.start).toBe(period.end);
            period = next;
          }
          expect(period.end).toBe(boundary(first, unit, periods * step));
        },
      ),
    );
  });

  test('keeps the anchor day through any changes between monthly and yearly plans', () => {
    const plans = fc.array(
      fc.record({
        unit: fc.constantFrom<Interval>('month', 'year'),
        step: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(anyAnchor, plans, (first, steps) => {
        let months = 0;
        let start = first;
        for (const { unit, step } of steps) {
          const period = periodFrom(first, start, unit, step);
          months += unit === 'year' ? 12 * step : step;
          expect(period).toEqual({ start, end: boundary(first, 'month', months), anchor: first });
          start = period.end;
        }
      }),
    );
  });
});

test('the period of an instant is the period that contains it, or the first period if none has begun', () => {
  const on = (now: string, start = '2027-02-28') => {
    const { start: from, end } = periodAt(at('2027-01-31'), at(start), now, 'month', 1);
    return [from, end];
  };
  expect(on(at('2027-02-01'))).toEqual([at('2027-02-28'), at('2027-03-31')]);
  expect(on(at('2027-03-30'))).toEqual([at('2027-02-28'), at('2027-03-31')]);
  expect(on(at('2027-03-31'))).toEqual([at('2027-03-31'), at('2027-04-30')]);
  expect(on(at('2027-06-01'))).toEqual([at('2027-05-31'), at('2027-06-30')]);
});

describe('the period that ends at a boundary', () => {
  const until = (anchor: string, end: string, unit: Interval, n: number) =>
    periodUntil(at(anchor), at(end), unit, n);

  test('begins on the anchor day, or on the last day of a shorter month', () => {
    expect(until('2027-01-31', '2027-02-28', 'month', 1)).toEqual({
      start: at('2027-01-31'),
      end: at('2027-02-28'),
    });
    expect(until('2027-03-31', '2027-03-31', 'month', 1).start).toBe(at('2027-02-28'));
    expect(until('2027-01-31', '2028-02-29', 'year', 1).start).toBe(at('2027-02-28'));
  });

  test('is as long as its interval if it does not end on a boundary of the anchor', () => {
    expect(until('2027-01-31', '2027-03-14', 'month', 1).start).toBe(at('2027-02-14'));
    expect(until('2027-01-31', '2027-02-28', 'week', 2).start).toBe(at('2027-02-14'));
  });

  test('is the same when counted forward from the anchor, for any anchor and interval', () => {
    fc.assert(
      fc.property(
        anyAnchor,
        interval,
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 40 }),
        (first, unit, step, periods) => {
          const end = boundary(first, unit, periods * step);
          const { start } = periodUntil(first, end, unit, step);
          expect(start).toBe(boundary(first, unit, (periods - 1) * step));
          expect(periodFrom(first, start, unit, step).end).toBe(end);
        },
      ),
    );
  });
});

test.each([
  ['including a boundary at that instant', '2027-03-31', 1, 500, 3],
  ['excluding later boundaries', '2027-03-30', 1, 500, 2],
  ['with a result of 0 before the first boundary', '2027-01-30', 1, 500, 0],
  ['with three-month intervals', '2027-07-31', 3, 500, 3],
  ['up to the given maximum', '2027-07-31', 1, 2, 2],
] as const)('boundaries up to an instant are counted, %s', (_which, to, step, atMost, counted) => {
  expect(boundariesUntil(at('2027-01-31'), at(to), 'month', step, atMost)).toBe(counted);
});
