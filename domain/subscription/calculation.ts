/**
 * The amount charged to a customer for a subscription, computed only here. Preview, charge, invoice and event carry
 * these lines. Pure; integer cents, tax included. The order is unit price times quantity, the share of the period,
 * the coupon, and the tax contained; each line is rounded half up, and the total is the sum of the lines.
 */
import { assertCents, MAX_CENTS, taxIncludedCents } from '../core/money.ts';

export interface Period {
  readonly start: string;
  readonly end: string;
}

/** The price of one period. */
export interface PeriodTerms {
  readonly unitAmount: number;
  readonly taxRate: number;
  readonly quantity?: number;
  readonly coupon?: Coupon | null;
}

/** Deducts a share of the price, or an amount per period. */
type Coupon = { readonly percent: number } | { readonly amount: number };

interface ChargeLine {
  readonly key: 'period' | 'rest' | 'unused' | 'discount';
  readonly period: Period;
  readonly quantity: number;
  readonly unitAmount: number;
  /** Negative for credits and discounts. */
  readonly amount: number;
  readonly taxRate: number;
  readonly taxAmount: number;
}

export interface Calculation {
  readonly lines: readonly ChargeLine[];
  /** Not positive: the credit is at least as much as the charge. */
  readonly total: number;
}

/** An invoiced part of a period. */
export interface InvoicedPart extends Period {
  /** The amount charged for it here, less refunds, withdrawals and open or lost disputes. */
  readonly paid: number;
  readonly taxRate: number;
}

export interface ToCalculate {
  readonly terms: PeriodTerms;
  /** One whole period of these terms. */
  readonly period: Period;
  /** Start of the charged time; by default the period's start. */
  readonly from?: string;
  /** Amounts invoiced for the replaced time, oldest first; none by default. */
  readonly replaces?: readonly InvoicedPart[];
}

/** @throws RangeError if the price of a whole period is more than `MAX_CENTS` */
export function calculate({ terms, period, from = period.start, replaces = [] }: ToCalculate): Calculation {
  const lines = [...unusedLine(replaces, from), ...chargeLines(terms, period, from)];
  return { lines, total: lines.reduce((sum, { amount }) => sum + amount, 0) };
}

function chargeLines(terms: PeriodTerms, period: Period, from: string): readonly ChargeLine[] {
  const { unitAmount, taxRate, quantity = 1, coupon = null } = terms;
  const whole = wholePrice(terms);
  const charged = { start: from, end: period.end };
  const line = { period: charged, quantity, unitAmount };
  const key = from === period.start ? 'period' : 'rest';
  const lines = [taxed({ ...line, key, amount: shareFrom(whole, from, period), taxRate })];
  const off = coupon ? shareFrom(discountOf(whole, coupon), from, period) : 0;
  if (off > 0) lines.push(taxed({ ...discount(charged, off), taxRate }));
  return lines;
}

/** @throws RangeError */
export function wholePrice({ unitAmount, quantity = 1 }: PeriodTerms): number {
  assertCents(unitAmount);
  const whole = unitAmount * quantity;
  if (!Number.isInteger(quantity) || quantity < 1 || whole > MAX_CENTS)
    throw new RangeError(`not a price of a period: ${quantity} × ${unitAmount}`);
  return whole;
}

function discountOf(whole: number, coupon: Coupon): number {
  return 'percent' in coupon ? portion(whole, coupon.percent, 100) : Math.min(coupon.amount, whole);
}

function discount(period: Period, off: number) {
  return { key: 'discount' as const, period, quantity: 1, unitAmount: -off, amount: -off };
}

/** The credit of the unused part; zero without a payment. */
function unusedLine(replaces: readonly InvoicedPart[], at: string): readonly ChargeLine[] {
  const last = replaces.at(-1);
  const credit = last ? shareFrom(paidFor(replaces), at, last) : 0;
  if (!last || credit === 0) return [];
  const line = { quantity: 1, unitAmount: -credit, amount: -credit, taxRate: last.taxRate };
  return [taxed({ key: 'unused', period: { start: at, end: last.end }, ...line })];
}

/**
 * The amount actually paid for the last part. A change pays for its part with the charge and with the credit of the
 * replaced part: a refund of either reduces it.
 */
function paidFor(parts: readonly InvoicedPart[]): number {
  let value = 0;
  let before: InvoicedPart | undefined;
  for (const part of parts) {
    const carried = before && before.end > part.start ? shareFrom(value, part.start, before) : 0;
    value = Math.max(0, part.paid + carried);
    before = part;
  }
  return value;
}

/** The share of an amount for a period that is left at an instant, by whole seconds. */
function shareFrom(amount: number, at: string, { start, end }: Period): number {
  const [from, first, last] = [at, start, end].map((instant) => Math.floor(Date.parse(instant) / 1_000));
  if (from === undefined || first === undefined || last === undefined || end < start)
    throw new RangeError(`not a period: ${start} to ${end}`);
  // Within the last second nothing is left.
  if (first === last) return 0;
  return portion(amount, Math.min(Math.max(last - from, 0), last - first), last - first);
}

/** `amount × part / whole`, rounded half up; the product may exceed the exact range of a number. */
function portion(amount: number, part: number, whole: number): number {
  assertCents(amount);
  const divisor = 2n * BigInt(whole);
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / divisor);
}

/** A credit contains the tax of the amount that it returns. */
function taxed(line: Omit<ChargeLine, 'taxAmount'>): ChargeLine {
  const tax = taxIncludedCents(Math.abs(line.amount), line.taxRate);
  return { ...line, taxAmount: line.amount < 0 ? -tax : tax };
}
