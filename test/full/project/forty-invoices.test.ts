/**
 * Forty invoices and credit notes that combine scripts, languages, rates, discounts, letterheads and lengths: the text
 * of each states what was sold and adds up to the cent, and each page keeps its margins.
 * `GALLERY=<folder>` writes each.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { renderInvoice } from '../../../api/invoice/pdf/render-invoice.ts';
import { type InvoiceWords, invoiceWords } from '../../../api/invoice/pdf/words.ts';
import { documentOf } from '../../../db/invoice/invoice-document.ts';
import { LANGUAGES } from '../../../domain/core/languages.ts';
import { type Issued, issuedDocument, itemOf } from '../../support/api/issued-document.ts';
import { REAL_TEXTS } from '../../support/core/real-texts.ts';
import { pictureOf, textOf } from '../../support/tool/pdf.ts';

const BUYERS = [
  ...REAL_TEXTS.map(([name]) => name),
  'บริษัท กรุงเทพ จำกัด',
  'श्रीमान् त्रिपाठी जी',
  'ქართული ღვინო',
  'Հայկական սուրճ',
  '프리미엄 연간 구독',
  '臺灣烏龍茶',
  'Zoë O’Connor-Çelik',
];
const RATES = [[19], [7], [19, 7, 0], [0], [20, 5.5], [23, 23]];
const LENGTHS = [1, 2, 3, 40];
const AMOUNTS = [1, 999, 1_900, 98_765, 123_456_789];
const KINDS = [
  { type_code: 380, preceding_number: null },
  { type_code: 381, preceding_number: '2026-000781' },
  { type_code: 380, preceding_number: 'CN-2026-000017' },
] as const;
const long = (length: number) => 'Verwaltungsgesellschaft am Großen Hafen '.repeat(6).slice(0, length);
const LETTERHEADS = [
  { name: 'Kaffeerösterei Nord & Söhne GmbH', address_lines: ['Hafenweg 1', '20457 Hamburg'] },
  { name: long(90), address_lines: [long(200), long(200)] },
  { name: long(200), address_lines: Array(6).fill(long(200)) },
  { name: 'קפה הנמל בע״מ', address_lines: ['רחוב יפו 12', 'תל אביב'] },
];
const PERIODS = [
  { period_first_day: null, period_last_day: null },
  { period_first_day: '2026-11-27', period_last_day: '2026-12-26' },
];

const nth = <Each>(list: readonly Each[], n: number) => list[n % list.length] as Each;

/** The lists have different lengths, so that their entries occur in many combinations. */
function issuedNth(n: number): Issued {
  const rates = nth(RATES, n);
  const items = Array.from({ length: Math.max(rates.length, nth(LENGTHS, n)) }, (_, line) => {
    const item = itemOf(nth(BUYERS, n + line), nth(AMOUNTS, n + line), nth(rates, line));
    // Every third line has a discount: the items' price is more than what is paid.
    const quantity = line % 3 === 2 ? 3 : 1;
    return { ...item, quantity, unit_amount: item.unit_amount * (quantity === 3 ? 2 : 1) };
  });
  const { customer } = issuedDocument();
  const [vat_id, vat_note] = [n % 2 ? 'DE123456789' : null, n % 4 ? null : 'Kleinunternehmer nach § 19 UStG'];
  return issuedDocument({
    ...nth(KINDS, n),
    ...nth(PERIODS, n),
    number: `2026-${String(n).padStart(6, '0')}`,
    supplier: { ...nth(LETTERHEADS, n), vat_id, vat_note },
    customer: {
      ...customer,
      name: nth(BUYERS, n),
      ...(n % 5 === 0 && { billing_details: null, tax_value: null, tax_type: null }),
    },
    line_items: items,
  });
}

test.each(Array.from({ length: 40 }, (_, n) => n))(
  'document %i states what was sold and adds up',
  async (n) => {
    const issued = issuedNth(n);
    const words = invoiceWords(nth(LANGUAGES, n));
    const pdf = await renderInvoice(documentOf(issued), words);
    await keep(n, pdf);
    const text = plain(await textOf(pdf));
    const pages = text.split('\f').slice(0, -1);
    expect(text).not.toMatch(/undefined|null|NaN|Invalid|\[U\+/);
    for (const [page, said] of pages.entries())
      expect(said).toContain(plain(`${issued.number} · ${words.page(page + 1, pages.length)}`));
    for (const said of totalsSaid(issued, words)) expect(text.replaceAll(/ +/g, ' ')).toContain(plain(said));
    const texts = [issued.customer.name ?? '', ...issued.line_items.map(({ description }) => description)];
    for (const said of texts.slice(0, BUYERS.length))
      for (const letter of said.normalize('NFKD').match(/[\p{L}\p{N}]/gu) ?? [])
        expect([said, letter, text.normalize('NFKD').includes(letter)]).toEqual([said, letter, true]);
    const short = issued.line_items.length <= 3;
    expect(pages.length).toBeLessThanOrEqual(
      short ? (nth(LETTERHEADS, n).address_lines.length > 2 ? 2 : 1) : 5,
    );
    for (const page of pages.keys()) {
      const { ink, share } = await pictureOf(pdf, page + 1);
      expect([page, ink.left > 0.08, ink.right < 0.92, ink.top > 0.05, ink.bottom < 0.96]).toEqual([
        page,
        true,
        true,
        true,
        true,
      ]);
      expect(share).toBeLessThan(0.15);
    }
    expect(pdf.length).toBeLessThan(200_000);
  },
  60_000,
);

/** The sums as a calculator gives them: for each rate, and in total. */
function totalsSaid({ line_items: items }: Issued, words: InvoiceWords): readonly string[] {
  const format = new Intl.NumberFormat(words.locale, { style: 'currency', currency: 'EUR' });
  const percent = new Intl.NumberFormat(words.locale, { style: 'percent', maximumFractionDigits: 2 });
  const money = (cents: number) => format.format(cents / 100);
  const sum = (list: typeof items, of: (item: (typeof items)[number]) => number) =>
    list.reduce((total, item) => total + of(item), 0);
  const net = (list: typeof items) => sum(list, ({ amount, tax_amount }) => amount - tax_amount);
  const rates = Map.groupBy(items, ({ tax_rate }) => tax_rate);
  return [
    `${words.totalNet} ${money(net(items))}`,
    ...[...rates].map(([rate, of]) => {
      const base = words.vatOn(percent.format(rate / 100), money(net(of)));
      return `${base} ${money(sum(of, ({ tax_amount }) => tax_amount))}`;
    }),
    money(sum(items, ({ amount }) => amount)),
  ];
}

/** With ordinary spaces: `Intl` and the layout use several kinds. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ');

async function keep(n: number, pdf: Buffer): Promise<void> {
  const folder = process.env.GALLERY;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `document-${String(n).padStart(2, '0')}.pdf`), pdf);
}
