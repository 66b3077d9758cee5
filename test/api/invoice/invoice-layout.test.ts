/**
 * The pages of an invoice with the longest text that merchants may enter, and its content for screen
 * readers.
 */
import { describe, expect, test } from '@jest/globals';
import { renderInvoice } from '../../../api/invoice/pdf/render-invoice.ts';
import { invoiceWords } from '../../../api/invoice/pdf/words.ts';
import { documentOf } from '../../../db/invoice/invoice-document.ts';
import { LANGUAGES } from '../../../domain/core/languages.ts';
import { type Issued, issuedDocument, itemOf } from '../../support/api/issued-document.ts';
import { infoOf, structureOf, textOf } from '../../support/tool/pdf.ts';

const pdfOf = (changes: Partial<Issued> = {}, language = 'en') =>
  renderInvoice(documentOf(issuedDocument(changes)), invoiceWords(language));

/** The text of each page. */
const pagesOf = async (pdf: Buffer) => (await textOf(pdf)).split('\f').slice(0, -1);

const long = (length: number) => 'Verwaltungsgesellschaft am Großen Hafen '.repeat(6).slice(0, length);

describe('pages', () => {
  test('a letterhead of 490 characters leaves the invoice on one page', async () => {
    const supplier = { name: long(90), address_lines: [long(200), long(200)], vat_id: 'DE123456789' };
    expect(await pagesOf(await pdfOf({ supplier }))).toHaveLength(1);
  });

  test('the longest letterhead needs two pages, and the parties stay together', async () => {
    const supplier = { name: long(200), address_lines: Array(6).fill(long(200)), vat_id: 'DE123456789' };
    const [first, second, ...more] = await pagesOf(await pdfOf({ supplier }));
    expect(more).toEqual([]);
    for (const text of ['Bill to', 'Zofia', '€19.00']) {
      expect(first).not.toContain(text);
      expect(second).toContain(text);
    }
  });

  test('the table’s head moves to the next page with its first row', async () => {
    const tableOn = new Set<number>();
    for (let lines = 24; lines <= 36; lines++) {
      const supplier = { name: 'Nord', address_lines: Array(lines).fill('Hafenweg 1') };
      const pages = await pagesOf(await pdfOf({ supplier }));
      const pageOf = (text: string) => pages.findIndex((page) => page.includes(text));
      expect([lines, pages.length]).toEqual([lines, pageOf('Total') + 1]);
      expect([lines, pageOf('Unit price')]).toEqual([lines, pageOf('Filterkaffee')]);
      tableOn.add(pageOf('Filterkaffee'));
    }
    expect(tableOn).toEqual(new Set([0, 1]));
  });

  test('a long table repeats its head, and no row is split', async () => {
    const items = Array.from({ length: 40 }, (_, n) => itemOf(`No. ${n}: ${long(100)} end`, 1_000 + n));
    const pages = await pagesOf(await pdfOf({ line_items: items }));
    expect(pages.length).toBeGreaterThan(2);
    for (const [n, page] of pages.entries()) {
      expect(page).toContain('Description');
      expect(page).toContain(`Page ${n + 1} of ${pages.length}`);
      expect(page.match(/No\. \d+/g)).toHaveLength(page.match(/ end\b/g)?.length ?? 0);
    }
  });

  test.each(LANGUAGES)('even the largest amounts stay on one line (%s)', async (language) => {
    const amounts = [123_456, 10_000_000, 123_456_789, 2_147_483_647];
    const money = new Intl.NumberFormat(invoiceWords(language).locale, {
      style: 'currency',
      currency: 'EUR',
    });
    for (const amount of amounts) {
      const text = await textOf(await pdfOf({ line_items: [itemOf(long(120), amount, 0)] }, language));
      // The amount occurs six times: unit price, net, gross, both totals, the rate's base.
      const said = money.format(amount / 100).replaceAll(/\s/g, ' ');
      expect(text.replaceAll(/[^\S\n]/g, ' ').split(said)).toHaveLength(7);
    }
  });
});

test('allowances are listed between the sum of the items and the totals', async () => {
  const document = documentOf(issuedDocument());
  const reduced = {
    ...document,
    allowances: [{ reason: 'Ten percent off', rate: 19, net: 160, tax: 30 }],
    totals: { ...document.totals, net: 1_437, tax: 273, gross: 1_710 },
  };
  const text = await textOf(await renderInvoice(reduced, invoiceWords('en')));
  for (const said of [
    /items \(net\) +€15\.97/,
    /Ten percent off +-€1\.60/,
    /Total net +€14\.37/,
    /Total +€17\.10/,
  ])
    expect(text).toMatch(said);
});

describe('for screen readers', () => {
  test('the file has a title, a language and tags', async () => {
    const pdf = await pdfOf({}, 'de');
    const info = await infoOf(pdf);
    expect(info).toMatch(/^Title: +Rechnung 2026-000001$/m);
    expect(info).toMatch(/^Tagged: +yes$/m);
    for (const said of ['/Lang (de-DE)', '<pdfuaid:part>1</pdfuaid:part>', '/DisplayDocTitle true'])
      expect(pdf.toString('latin1')).toContain(said);
  });

  test('heading, parties, facts and cells are read in order, and repeated text is skipped', async () => {
    const items = Array.from({ length: 40 }, (_, n) => itemOf(`No. ${n}`, 1_000 + n));
    const structure = await structureOf(await pdfOf({ line_items: items }));
    const read = structure.match(/".*"/g) ?? [];
    expect(read.slice(0, 4)).toEqual([
      '"Invoice"',
      '"Kaffeerösterei Nord & Söhne GmbH"',
      '"Hafenweg 1"',
      '"20457 Hamburg"',
    ]);
    expect(read.filter((text) => text === '"Description"')).toHaveLength(1);
    expect(read.filter((text) => text.includes('Page '))).toEqual([]);
    expect(structure.match(/^ +TD/gm)).toHaveLength(40 * 7 + 3);
    expect(structure.match(/Scope \/Column/g)).toHaveLength(7);
    expect(structure.match(/Scope \/Row/g)).toHaveLength(3);
  });
});
