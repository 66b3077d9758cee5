import { describe, expect, test } from '@jest/globals';
import { MAX_CENTS } from '../../../domain/core/money.ts';
import { calculate, wholePrice } from '../../../domain/subscription/proration.ts';
import { checkLives } from '../../support/core/subscription-lives.ts';

const JUNE = { start: '2026-06-01T00:00:00.000Z', end: '2026-07-01T00:00:00.000Z' };
const basic = { unitAmount: 900, taxRate: 19 };
const team = { unitAmount: 2_900, taxRate: 19 };
const paid = (amount: number) => [{ ...JUNE, paid: amount, credited: 0, taxRate: 19 }];

describe('the calculation', () => {
  test('of a whole period is its price', () => {
    expect(calculate({ terms: basic, period: JUNE })).toEqual({
      lines: [
        {
          key: 'period',
          period: JUNE,
          quantity: 1,
          unitAmount: 900,
          amount: 900,
          taxRate: 19,
          taxAmount: 144,
        },
      ],
      total: 900,
    });
  });

  test('of a change credits the unused share and charges the remaining time', () => {
    const at = '2026-06-19T00:00:00.000Z';
    const { lines, total } = calculate({ terms: team, period: JUNE, from: at, replaces: paid(900) });
    expect(lines.map(({ key, amount, taxAmount }) => [key, amount, taxAmount])).toEqual([
      ['unused', -360, -57],
      ['rest', 1_160, 185],
    ]);
    expect(total).toBe(800);
    expect(lines.map(({ period }) => period)).toEqual(Array(2).fill({ start: at, end: JUNE.end }));
  });

  test('rounds tax below half a cent to zero, even in a credit', () => {
    const replaces = paid(1);
    const { lines } = calculate({ terms: team, period: JUNE, replaces });
    expect(lines[0]).toMatchObject({ key: 'unused', amount: -1, taxAmount: 0 });
  });

  test('credits the amount actually paid: nothing after a full refund, a trial or a free period', () => {
    const at = '2026-06-16T00:00:00.000Z';
    for (const replaces of [paid(0), []]) {
      expect(calculate({ terms: team, period: JUNE, from: at, replaces }).total).toBe(1_450);
    }
    expect(calculate({ terms: team, period: JUNE, from: at, replaces: paid(450) }).total).toBe(1_225);
  });

  test('of a change after a partial refund reduces the credit by the refunded share', () => {
    const [first, second] = ['2026-06-11T00:00:00.000Z', '2026-06-21T00:00:00.000Z'];
    const rest = (took: number, back: number) => [
      ...paid(900 - back),
      { start: first, end: JUNE.end, paid: took, credited: 600, taxRate: 19 },
    ];
    const creditAt = (back: number) =>
      calculate({ terms: team, period: JUNE, from: second, replaces: rest(1_333, back) }).lines[0]?.amount;
    // 1,333 charged and 600 carried pay for twenty days; ten are left.
    expect(creditAt(0)).toBe(-967);
    expect(creditAt(900)).toBe(-667);
  });

  test('applies the coupon to price times quantity, on a separate line', () => {
    const terms = { ...basic, quantity: 3, coupon: { percent: 15 } };
    const { lines, total } = calculate({ terms, period: JUNE });
    expect(lines.map(({ key, amount, quantity }) => [key, amount, quantity])).toEqual([
      ['period', 2_700, 3],
      ['discount', -405, 1],
    ]);
    expect(total).toBe(2_295);
    const atMost = { ...basic, coupon: { amount: 5_000 } };
    expect(calculate({ terms: atMost, period: JUNE }).total).toBe(0);
  });

  test('refuses a price beyond its bounds before it overflows', () => {
    expect(wholePrice({ unitAmount: MAX_CENTS })).toBe(MAX_CENTS);
    for (const quantity of [10_000, 0, 1.5, -1]) {
      expect(() => wholePrice({ unitAmount: MAX_CENTS, quantity })).toThrow(RangeError);
    }
  });
});

test('proration keeps its invariants in random subscription histories', () => checkLives(300));
