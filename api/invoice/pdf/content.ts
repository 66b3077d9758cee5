/** The text of an invoice or credit note: everything that Article 226 of the VAT directive requires. */
import type { DocumentLine, InvoiceDocument } from '../../../domain/invoice/document.ts';
import type { InvoiceWords } from './words.ts';

export type Labelled = readonly [label: string, value: string];

export interface InvoiceContent {
  readonly title: string;
  readonly number: string;
  readonly sellerName: string;
  readonly sellerLines: readonly string[];
  readonly buyerLines: readonly string[];
  readonly facts: readonly Labelled[];
  readonly rows: readonly InvoiceRow[];
  readonly totals: readonly Labelled[];
  readonly total: Labelled;
  readonly notes: readonly string[];
}

/** The cells of a row, or of the table's head. */
export interface InvoiceRow {
  readonly description: string;
  readonly quantity: string;
  readonly unitNet: string;
  readonly rate: string;
  readonly net: string;
  readonly vat: string;
  readonly gross: string;
}

export function invoiceContent(document: InvoiceDocument, words: InvoiceWords): InvoiceContent {
  const write = writers(words.locale, document.currency);
  const { typeCode, seller, number, totals } = document;
  const isInvoice = typeCode === 380;
  return {
    title: isInvoice ? words.title : words.creditNote,
    number,
    sellerName: seller.name,
    sellerLines: [...seller.addressLines, ...labelled(words.vatId, seller.vatId)],
    buyerLines: buyerLines(document.buyer, words, write),
    facts: [
      [isInvoice ? words.number : words.creditNoteNumber, number],
      [words.issued, write.date(document.issuedOn)],
      ...precedingFact(document, words),
      supplyFact(document, words, write),
    ],
    rows: document.lines.map((line) => rowOf(line, write)),
    totals: totalLines(document, words, write),
    total: [isInvoice ? words.total : words.totalCredited, write.money(totals.gross)],
    notes: document.rates
      .filter(({ rate }) => rate === 0)
      // The merchant's note (Article 226 (11) to (15)) is more precise than a generic one.
      .map(({ exemptionReason }) => exemptionReason ?? words.noVat),
  };
}

function precedingFact({ typeCode, precedingNumber }: InvoiceDocument, words: InvoiceWords): Labelled[] {
  return precedingNumber === null
    ? []
    : [[typeCode === 380 ? words.reverses : words.corrects, precedingNumber]];
}

function supplyFact({ deliveredOn, period }: InvoiceDocument, words: InvoiceWords, write: Writers): Labelled {
  return period
    ? [words.period, `${write.date(period.start)} – ${write.date(period.end)}`]
    : [words.supplied, write.date(deliveredOn)];
}

function buyerLines(
  { name, address, vatId, taxId, email }: InvoiceDocument['buyer'],
  words: InvoiceWords,
  write: Writers,
): readonly string[] {
  const lines = [
    name,
    ...address.lines,
    [address.postCode, address.city].filter(Boolean).join(' '),
    address.subdivision,
    address.country && write.country(address.country),
    email,
  ];
  return [
    ...lines.filter((line): line is string => Boolean(line)),
    ...labelled(words.vatId, vatId),
    ...labelled(words.taxId, taxId),
  ];
}

function labelled(label: string, value: string | null): readonly string[] {
  return value ? [`${label}: ${value}`] : [];
}

function rowOf(
  { name, quantity, netPrice, rate, net, tax, gross }: DocumentLine,
  write: Writers,
): InvoiceRow {
  return {
    description: name,
    quantity: write.quantity(quantity),
    unitNet: write.money(netPrice),
    rate: write.percent(rate),
    net: write.money(net),
    vat: write.money(tax),
    gross: write.money(gross),
  };
}

function totalLines(
  { allowances, rates, totals }: InvoiceDocument,
  words: InvoiceWords,
  { money, percent }: Writers,
): readonly Labelled[] {
  const reduced = allowances.map(({ reason, net }): Labelled => [reason, money(-net)]);
  return [
    ...(reduced.length > 0 ? [[words.totalLines, money(totals.lines)] as const, ...reduced] : []),
    [words.totalNet, money(totals.net)],
    ...rates.map(({ rate, net, tax }): Labelled => [words.vatOn(percent(rate), money(net)), money(tax)]),
  ];
}

type Writers = ReturnType<typeof writers>;

function writers(locale: string, currency: string) {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const number = new Intl.NumberFormat(locale);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  const region = new Intl.DisplayNames(locale, { type: 'region' });
  return {
    money: (cents: number) => money.format(cents / 100),
    percent: (rate: number) => percent.format(rate / 100),
    quantity: (quantity: number) => number.format(quantity),
    date: (day: string) => date.format(new Date(day)),
    /** Returns the country's name: merchants enter a code or a name. */
    country: (country: string) =>
      /^[a-z]{2}$/i.test(country) ? (region.of(country.toUpperCase()) ?? country) : country,
  };
}
