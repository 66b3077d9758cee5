/**
 * Computes the lines of a subscription's charge, which preview, charge, invoice and event share. Exception: the hosted
 * page, whose script must stay small, deducts the coupon from the displayed price itself (view.ts). Pure; integer
 * cents, tax included. Steps: unit price times quantity; the coupon's deduction from that whole price; the share of
 * the period of each; tax contained. Each line is rounded half up, and the total is the sum of the lines. A discount's tax is its reduction of the price's tax, so
 * that both lines add up to the tax of the amount paid.
 */
import { type Deduction, deductedFrom } from '../catalogue/coupon.ts';
import { assertCents, MAX_CENTS } from '../core/money.ts';
import { taxIncludedCents } from '../core/tax.ts';

export interface Period {
  readonly start: string;
  readonly end: string;
}

/** The price of one period. */
export interface PeriodTerms {
  readonly unitAmount: number;
  readonly taxRate: number;
  readonly quantity?: number;
  readonly coupon?: Deduction | null;
}

interface Line {
  readonly quantity: number;
  readonly unitAmount: number;
  /** Negative for credits and discounts. */
  readonly amount: number;
  readonly taxRate: number;
  readonly taxAmount: number;
}

/** A line as orders and invoices store it. */
export function storedLine<Of>({ quantity, unitAmount, amount, taxRate, taxAmount }: Line, of: Of) {
  return { ...of, quantity, unit_amount: unitAmount, amount, tax_rate: taxRate, tax_amount: taxAmount };
}

interface PriceLine extends Line {
  readonly key: 'period' | 'discount';
}

interface ChargeLine extends Line {
  readonly key: 'period' | 'rest' | 'unused' | 'discount';
  readonly period: Period;
}

export interface Calculation {
  readonly lines: readonly ChargeLine[];
  /** Zero or negative: the credit is at least as large as the charge. */
  readonly total: number;
}

/** An invoiced part of a period. */
export interface InvoicedPart extends Period {
  /** The amount charged by this invoice, less refunds, withdrawals and open or lost disputes. */
  readonly paid: number;
  /** The amount that this invoice credited for the previous part. */
  readonly credited: number;
  readonly taxRate: number;
}

export interface ToCalculate {
  readonly terms: PeriodTerms;
  /** One whole period of these terms. */
  readonly period: Period;
  /** Start of the charged time; by default the period's start. */
  readonly from?: string;
  /** Invoices for the time that this charge replaces, oldest first; none by default. */
  readonly replaces?: readonly InvoicedPart[];
}

/** @throws RangeError if the price of a whole period is more than `MAX_CENTS` */
export function calculate({ terms, period, from = period.start, replaces = [] }: ToCalculate): Calculation {
  const lines = [...unusedLine(replaces, from), ...chargeLines(terms, period, from)];
  return { lines, total: lines.reduce((sum, { amount }) => sum + amount, 0) };
}

function chargeLines(terms: PeriodTerms, period: Period, from: string): readonly ChargeLine[] {
  const charged = { start: from, end: period.end };
  const lines = priceLines(terms, (whole) => shareFrom(whole, from, period));
  return lines.map((line) =>
    line.key === 'period' && from !== period.start
      ? { ...line, key: 'rest', period: charged }
      : { ...line, period: charged },
  );
}

/**
 * The lines of a price: unit price times quantity, and the coupon's deduction, at the same tax rate.
 * @param shareOf returns the share of an amount that is charged; all of it by default, as for a one-time purchase
 * @throws RangeError
 */
export function priceLines(
  terms: PeriodTerms,
  shareOf: (whole: number) => number = (whole) => whole,
): readonly PriceLine[] {
  const { unitAmount, taxRate, quantity = 1, coupon = null } = terms;
  const whole = wholePrice(terms);
  const price = taxed({ key: 'period' as const, quantity, unitAmount, amount: shareOf(whole), taxRate });
  const off = coupon ? shareOf(deductedFrom(whole, coupon)) : 0;
  if (off === 0) return [price];
  const taxAmount = taxIncludedCents(price.amount - off, taxRate) - price.taxAmount;
  return [price, { key: 'discount', quantity: 1, unitAmount: -off, amount: -off, taxRate, taxAmount }];
}

/** The total of a whole period's price. It does not depend on the tax rate, because prices include tax. */
export function priceTotal(terms: Omit<PeriodTerms, 'taxRate'>): number {
  return priceLines({ ...terms, taxRate: 0 }).reduce((sum, { amount }) => sum + amount, 0);
}

/** @throws RangeError */
export function wholePrice({
  unitAmount,
  quantity = 1,
}: Pick<PeriodTerms, 'unitAmount' | 'quantity'>): number {
  assertCents(unitAmount);
  const whole = unitAmount * quantity;
  if (!Number.isInteger(quantity) || quantity < 1 || whole > MAX_CENTS)
    throw new RangeError(`invalid price of a period: ${quantity} × ${unitAmount}`);
  return whole;
}

/** The credit for the unused part of the last invoice; no line if nothing was paid for it. */
function unusedLine(replaces: readonly InvoicedPart[], at: string): readonly ChargeLine[] {
  const last = replaces.at(-1);
  const credit = last ? shareFrom(paidFor(replaces), at, last) : 0;
  if (!last || credit === 0) return [];
  const line = { quantity: 1, unitAmount: -credit, amount: -credit, taxRate: last.taxRate };
  return [taxed({ key: 'unused' as const, period: { start: at, end: last.end }, ...line })];
}

/**
 * The amount actually paid for the last part. A change is paid for by its charge and by the credit for the part that it
 * replaces: refunding either reduces the amount. Money that returned to the merchant after the credit, for example from
 * a failed refund, was not credited, and can still be refunded.
 */
function paidFor(parts: readonly InvoicedPart[]): number {
  let value = 0;
  let before: InvoicedPart | undefined;
  for (const part of parts) {
    const carried = before && before.end > part.start ? shareFrom(value, part.start, before) : 0;
    value = Math.max(0, part.paid + Math.min(carried, part.credited));
    before = part;
  }
  return value;
}

/** The share of a period's amount that is left at an instant, in whole seconds. */
function shareFrom(amount: number, at: string, { start, end }: Period): number {
  const [from, first, last] = [at, start, end].map((instant) => Math.floor(Date.parse(instant) / 1_000));
  if (from === undefined || first === undefined || last === undefined || end < start)
    throw new RangeError(`invalid period: ${start} to ${end}`);
  // Within the last second nothing is left.
  if (first === last) return 0;
  return portion(amount, Math.min(Math.max(last - from, 0), last - first), last - first);
}

/** `amount × part / whole`, rounded half up. BigInt, because the product may exceed the exact range of a number. */
function portion(amount: number, part: number, whole: number): number {
  assertCents(amount);
  const divisor = 2n * BigInt(whole);
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / divisor);
}

/** A credit contains the tax of the amount that is credited. */
function taxed<Untaxed extends Omit<Line, 'taxAmount'>>(line: Untaxed): Untaxed & Line {
  const tax = taxIncludedCents(Math.abs(line.amount), line.taxRate);
  return { ...line, taxAmount: line.amount < 0 ? 0 - tax : tax };
}
