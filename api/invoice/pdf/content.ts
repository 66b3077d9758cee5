/**
 * The lines of an invoice: everything that Article 226 of the VAT directive requires. Pure; uses only the
 * data frozen at issue.
 */
import type { PrintableInvoice } from '../../../db/invoice/invoice-pdfs.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { type InvoiceWords, invoiceWords } from './words.ts';

export interface InvoiceContent {
  readonly words: InvoiceWords;
  readonly title: string;
  readonly number: string;
  readonly supplierName: string;
  readonly supplierLines: readonly string[];
  readonly customerLines: readonly string[];
  readonly facts: readonly (readonly [label: string, value: string])[];
  readonly rows: readonly InvoiceRow[];
  readonly totals: readonly (readonly [label: string, value: string])[];
  readonly total: readonly [label: string, value: string];
  readonly notes: readonly string[];
}

export interface InvoiceRow {
  readonly description: string;
  readonly quantity: string;
  readonly unitNet: string;
  readonly rate: string;
  readonly net: string;
  readonly vat: string;
  readonly gross: string;
}

export function invoiceContent(invoice: PrintableInvoice): InvoiceContent {
  const words = invoiceWords(invoice.language);
  const write = writers(words.locale, invoice);
  const { supplier, line_items } = invoice;
  const rates = byRate(line_items);
  const net = line_items.reduce((sum, line) => sum + line.amount - line.tax_amount, 0);
  return {
    words,
    number: invoice.number,
    supplierName: supplier.name ?? '',
    supplierLines: [...(supplier.address_lines ?? []), ...labelled(words.vatId, supplier.vat_id)],
    customerLines: customerLines(invoice.customer, words, write.country),
    title: invoice.kind === 'invoice' ? words.title : words.creditNote,
    facts: [
      [invoice.kind === 'invoice' ? words.number : words.creditNoteNumber, invoice.number],
      [words.issued, write.date(invoice.issued_at)],
      ...precedingFact(invoice, words),
      suppliedWhen(invoice, words, write.date),
    ],
    rows: line_items.map((line) => ({
      description: line.description,
      quantity: write.quantity(line.quantity),
      unitNet: write.money((line.amount - line.tax_amount) / line.quantity),
      rate: write.percent(line.tax_rate),
      net: write.money(line.amount - line.tax_amount),
      vat: write.money(line.tax_amount),
      gross: write.money(line.amount),
    })),
    totals: [
      [words.totalNet, write.money(net)],
      ...rates.map(
        ({ rate, base, vat }) =>
          [words.vatOn(write.percent(rate), write.money(base)), write.money(vat)] as const,
      ),
    ],
    total: [invoice.kind === 'invoice' ? words.total : words.totalCredited, write.money(invoice.amount)],
    // The merchant's note (Article 226 (11) to (15)) is more precise than a generic one; neither is for taxed lines.
    notes: rates.some(({ rate }) => rate === 0) ? [supplier.vat_note ?? words.noVat] : [],
  };
}

function precedingFact(
  { kind, preceding_number: number }: PrintableInvoice,
  words: InvoiceWords,
): readonly (readonly [string, string])[] {
  return number === null ? [] : [[kind === 'invoice' ? words.reverses : words.corrects, number]];
}

function suppliedWhen(
  { supplied_at, period_start, period_end }: PrintableInvoice,
  words: InvoiceWords,
  date: (instant: string) => string,
): readonly [string, string] {
  if (!period_start || !period_end) return [words.supplied, date(supplied_at)];
  // The last day shown is the day before the next period begins.
  const lastDay = addDays(period_end, -1);
  return [words.period, `${date(period_start)} – ${date(lastDay)}`];
}

function customerLines(
  customer: PrintableInvoice['customer'],
  words: InvoiceWords,
  nameOf: (country: string) => string,
): readonly string[] {
  const details = customer.billing_details ?? {};
  const { line1, line2, city, region, postal_code, country } = details;
  const lines = [
    customer.name,
    line1,
    line2,
    [postal_code, city].filter(Boolean).join(' '),
    region,
    country && nameOf(country),
    customer.email,
  ];
  const isVatId = customer.tax_type === null || /vat/i.test(customer.tax_type);
  return [
    ...lines.filter((line): line is string => Boolean(line)),
    ...labelled(isVatId ? words.vatId : words.taxId, customer.tax_value),
  ];
}

function labelled(label: string, value: string | null | undefined): readonly string[] {
  return value ? [`${label}: ${value}`] : [];
}

function byRate(lines: PrintableInvoice['line_items']) {
  const rates = new Map<number, { rate: number; base: number; vat: number }>();
  for (const { tax_rate: rate, amount, tax_amount } of lines) {
    const sum = rates.get(rate) ?? { rate, base: 0, vat: 0 };
    rates.set(rate, { rate, base: sum.base + amount - tax_amount, vat: sum.vat + tax_amount });
  }
  return [...rates.values()].sort((a, b) => b.rate - a.rate);
}

function writers(locale: string, { currency, time_zone: timeZone }: PrintableInvoice) {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const number = new Intl.NumberFormat(locale);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone });
  const region = new Intl.DisplayNames(locale, { type: 'region' });
  return {
    money: (cents: number) => money.format(cents / 100),
    percent: (rate: number) => percent.format(rate / 100),
    quantity: (quantity: number) => number.format(quantity),
    date: (instant: string) => date.format(new Date(instant)),
    /** Merchants enter a code or a name. */
    country: (country: string) =>
      /^[a-z]{2}$/i.test(country) ? (region.of(country.toUpperCase()) ?? country) : country,
  };
}
