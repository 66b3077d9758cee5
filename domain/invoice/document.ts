/**
 * An invoice or credit note in the terms of EN 16931: a field's comment names its term (BT) or group (BG). The PDF and
 * every other form of the document are generated from this object. Amounts are cents, dates are days in the merchant's
 * time zone.
 */
import type { Currency } from '../core/money.ts';

export interface InvoiceDocument {
  /** BT-3: 380 is an invoice, 381 a credit note. */
  readonly typeCode: 380 | 381;
  /** BT-1 */
  readonly number: string;
  /** BT-2 */
  readonly issuedOn: string;
  /** BT-5 */
  readonly currency: Currency;
  /** BT-72 */
  readonly deliveredOn: string;
  /** BG-14: first and last day. */
  readonly period: { readonly start: string; readonly end: string } | null;
  /** BT-25: the invoice that a credit note corrects, or the credit note that an invoice reverses. */
  readonly precedingNumber: string | null;
  /** BG-4 */
  readonly seller: Seller;
  /** BG-7 */
  readonly buyer: Buyer;
  /** BG-25 */
  readonly lines: readonly DocumentLine[];
  /** BG-20 */
  readonly allowances: readonly DocumentAllowance[];
  /** BG-23: highest rate first. */
  readonly rates: readonly DocumentRate[];
  /** BG-22 */
  readonly totals: DocumentTotals;
}

interface Seller {
  /** BT-27 */
  readonly name: string;
  /** BG-5, as the merchant wrote it. */
  readonly addressLines: readonly string[];
  /** BT-31 */
  readonly vatId: string | null;
}

interface Buyer {
  /** BT-44 */
  readonly name: string | null;
  /** BG-8 */
  readonly address: BuyerAddress;
  /** BT-48 */
  readonly vatId: string | null;
  /** A tax number that is not a VAT id. */
  readonly taxId: string | null;
  /** BT-58 */
  readonly email: string | null;
}

interface BuyerAddress {
  /** BT-50, BT-51 */
  readonly lines: readonly string[];
  /** BT-52 */
  readonly city: string | null;
  /** BT-53 */
  readonly postCode: string | null;
  /** BT-54 */
  readonly subdivision: string | null;
  /** BT-55, or a name: merchants send either. */
  readonly country: string | null;
}

export interface DocumentLine {
  /** BT-153 */
  readonly name: string;
  /** BT-129 */
  readonly quantity: number;
  /** BT-146; fractions of a cent are possible, because prices include tax. */
  readonly netPrice: number;
  /** BT-152, in percent. */
  readonly rate: number;
  /** BT-131 */
  readonly net: number;
  /** The line's tax and gross amount, rounded per line; the standard has no terms for them. */
  readonly tax: number;
  readonly gross: number;
}

interface DocumentAllowance {
  /** BT-97 */
  readonly reason: string;
  /** BT-96, in percent. */
  readonly rate: number;
  /** BT-92 */
  readonly net: number;
  readonly tax: number;
}

interface DocumentRate {
  /** BT-119, in percent. */
  readonly rate: number;
  /** BT-116 */
  readonly net: number;
  /** BT-117 */
  readonly tax: number;
  /** BT-120: the merchant's note; null for a taxed rate, or without a note. */
  readonly exemptionReason: string | null;
}

interface DocumentTotals {
  /** BT-106: the lines, before allowances. */
  readonly lines: number;
  /** BT-109 */
  readonly net: number;
  /** BT-110 */
  readonly tax: number;
  /** BT-112 */
  readonly gross: number;
}

/** @param exemptionReason why lines at 0 % are not taxed */
export function ratesOf(
  lines: readonly DocumentLine[],
  allowances: readonly DocumentAllowance[],
  exemptionReason: string | null,
): readonly DocumentRate[] {
  const sums = new Map<number, { net: number; tax: number }>();
  const add = (rate: number, net: number, tax: number) => {
    const sum = sums.get(rate) ?? { net: 0, tax: 0 };
    sums.set(rate, { net: sum.net + net, tax: sum.tax + tax });
  };
  for (const { rate, net, tax } of lines) add(rate, net, tax);
  for (const { rate, net, tax } of allowances) add(rate, -net, -tax);
  return [...sums]
    .map(([rate, sum]) => ({ rate, ...sum, exemptionReason: rate === 0 ? exemptionReason : null }))
    .sort((a, b) => b.rate - a.rate);
}

export function totalsOf(lines: readonly DocumentLine[], rates: readonly DocumentRate[]): DocumentTotals {
  const net = rates.reduce((sum, rate) => sum + rate.net, 0);
  const tax = rates.reduce((sum, rate) => sum + rate.tax, 0);
  return { lines: lines.reduce((sum, line) => sum + line.net, 0), net, tax, gross: net + tax };
}
