/** Spreads a credited amount over an invoice's lines, and reverses their tax at their own rates. */
import { assertCents } from '../core/money.ts';
import { taxIncludedCents } from '../core/tax.ts';

export interface CreditableLine {
  readonly quantity: number;
  readonly unit_amount: number;
  /** Gross cents. */
  readonly amount: number;
  readonly tax_rate: number;
  readonly tax_amount: number;
}

/** The amounts that earlier credit notes took from a line. */
export interface CreditedLine {
  readonly line: number;
  readonly amount: number;
  readonly tax_amount: number;
}

/**
 * Uses the largest-remainder method on the remaining amount of each line, so that the last credit uses up amount and
 * tax to the cent, including the negative lines of a plan change, which earlier credits leave out.
 * `line` is the line's place on the invoice; lines without a share are left out.
 * @throws RangeError if more is credited than remains
 */
export function creditLines<Line extends CreditableLine>(
  lines: readonly Line[],
  earlier: readonly CreditedLine[],
  amount: number,
): readonly (Line & CreditedLine)[] {
  assertCents(amount);
  const left = lines.map((line, place) => leftOf(line, place, earlier));
  const total = left.reduce((sum, line) => sum + line.amount, 0);
  if (amount > total) throw new RangeError(`cannot credit ${amount}: only ${total} is left to credit`);
  const weights = left.map((line) => (amount === total ? line.amount : Math.max(0, line.amount)));
  const parts = amount === total ? weights : spread(amount, weights);
  return lines.flatMap((line, place) => {
    const [part = 0, rest] = [parts[place], left[place]];
    if (part === 0 || !rest) return [];
    const isWhole = part === line.amount;
    return {
      ...line,
      ...(!isWhole && { quantity: 1, unit_amount: part }),
      line: place,
      amount: part,
      tax_amount: part === rest.amount ? rest.tax : taxOf(part, line.tax_rate, rest),
    };
  });
}

function leftOf({ amount, tax_amount }: CreditableLine, place: number, earlier: readonly CreditedLine[]) {
  const taken = earlier.filter(({ line }) => line === place);
  return {
    amount: amount - taken.reduce((sum, part) => sum + part.amount, 0),
    tax: tax_amount - taken.reduce((sum, part) => sum + part.tax_amount, 0),
  };
}

/** Spreads whole cents in proportion to the weights; no share exceeds its weight. */
function spread(amount: number, weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // BigInt, because the product of two amounts can exceed the exact range of a number.
  const shares = weights.map((weight) => {
    const product = BigInt(amount) * BigInt(weight);
    return { floor: Number(product / BigInt(total)), remainder: product % BigInt(total) };
  });
  let missing = amount - shares.reduce((sum, { floor }) => sum + floor, 0);
  const byRemainder = shares
    .map(({ remainder }, place) => ({ remainder, place }))
    .sort((a, b) => (a.remainder === b.remainder ? a.place - b.place : a.remainder < b.remainder ? 1 : -1));
  const parts = shares.map(({ floor }) => floor);
  for (const { place } of byRemainder) {
    if (missing-- <= 0) break;
    parts[place] = (parts[place] ?? 0) + 1;
  }
  return parts;
}

/**
 * Tax at the line's rate, limited so that the line's remaining tax is neither negative nor more than its remaining
 * amount.
 */
function taxOf(part: number, rate: number, left: { readonly amount: number; readonly tax: number }): number {
  const least = Math.max(0, left.tax - (left.amount - part));
  const most = part === left.amount ? left.tax : Math.min(part, left.tax);
  return Math.min(Math.max(taxIncludedCents(part, rate), least), most);
}
