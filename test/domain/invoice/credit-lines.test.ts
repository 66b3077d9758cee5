import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { taxIncludedCents } from '../../../domain/core/tax.ts';
import { type CreditedLine, creditLines } from '../../../domain/invoice/credit-lines.ts';

const lineOf = (amount: number, taxRate: number) => ({
  quantity: 1,
  unit_amount: amount,
  amount,
  tax_rate: taxRate,
  tax_amount: taxIncludedCents(amount, taxRate),
});
const sumOf = (parts: readonly { amount: number }[]) => parts.reduce((sum, { amount }) => sum + amount, 0);

test('credit notes add up to the refunds to the cent, and their tax to the invoice’s', () => {
  const invoiceLine = fc
    .tuple(fc.integer({ min: 1, max: 400_000_000 }), fc.integer({ min: 0, max: 99_999 }))
    .map(([amount, rate]) => lineOf(amount, rate / 100));
  fc.assert(
    fc.property(
      fc.array(invoiceLine, { minLength: 1, maxLength: 5 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
      (lines, shares) => {
        let left = sumOf(lines);
        const earlier: CreditedLine[] = [];
        const refund = (amount: number) => {
          const parts = creditLines(lines, earlier, amount);
          expect(sumOf(parts)).toBe(amount);
          for (const part of parts) {
            expect(part.tax_amount).toBeGreaterThanOrEqual(0);
            expect(part.tax_amount).toBeLessThanOrEqual(part.amount);
          }
          earlier.push(...parts);
          left -= amount;
        };
        for (const share of shares) refund(Math.floor(left * share));
        refund(left);
        lines.forEach((line, place) => {
          const parts = earlier.filter((part) => part.line === place);
          expect(sumOf(parts)).toBe(line.amount);
          expect(parts.reduce((sum, { tax_amount }) => sum + tax_amount, 0)).toBe(line.tax_amount);
        });
      },
    ),
  );
});

test('credit notes do not reduce a plan change’s credit line, until the last one takes the rest of every line', () => {
  const unused = { ...lineOf(450, 19), unit_amount: -450, amount: -450, tax_amount: -72 };
  const lines = [unused, lineOf(950, 7)];
  const first = creditLines(lines, [], 200);
  expect(first).toMatchObject([{ line: 1, amount: 200, tax_amount: 13 }]);
  const rest = creditLines(lines, first, 300);
  expect(rest).toMatchObject([
    { line: 0, amount: -450, tax_amount: -72 },
    { line: 1, amount: 750, tax_amount: 49 },
  ]);
  expect(() => creditLines(lines, [...first, ...rest], 1)).toThrow(RangeError);
});

test('a cent left over by rounding goes to the line with the largest remainder', () => {
  const lines = [lineOf(1_000, 19), lineOf(2_000, 7)];
  expect(creditLines(lines, [], 100)).toMatchObject([
    { line: 0, amount: 33, tax_rate: 19, tax_amount: 5, quantity: 1, unit_amount: 33 },
    { line: 1, amount: 67, tax_rate: 7, tax_amount: 4, quantity: 1, unit_amount: 67 },
  ]);
});

test('a credit above the remaining amount is refused', () => {
  const lines = [lineOf(1_000, 19)];
  expect(() => creditLines(lines, creditLines(lines, [], 900), 101)).toThrow(
    'cannot credit 101: only 100 is left to credit',
  );
});
