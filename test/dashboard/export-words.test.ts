/** Exported lists have readable column headings and the page's own words for statuses. @reads docs/openapi.json */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesInWords, translator } from '../../dashboard/app/payments/export-words.ts';
import { de } from '../../dashboard/app/words/de.ts';
import { en } from '../../dashboard/app/words/en.ts';
import { csvLine } from '../../domain/core/csv.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
type Responses = Readonly<
  Record<string, { readonly content: Readonly<Record<string, { example?: unknown }>> }>
>;

const FILE =
  '\ufeff' +
  csvLine(['id', 'created_at', 'status', 'description', 'dispute_status', 'note']) +
  csvLine([
    'ap_pay_1',
    '2026-01-31T23:30:00.000Z',
    'succeeded',
    'Tea, "green"\r\nsucceeded',
    'lost',
    'Żółć',
  ]) +
  csvLine(['ap_pay_2', '2026-07-31T22:30:00.000Z', 'partially_refunded', 'succeeded', null, 'open']) +
  csvLine(['ap_pay_3', null, 'of_a_later_release', null, 'won', '"']);

test.each([
  [
    'en',
    en,
    'ID,Created (Europe/Berlin),Status,Description,Dispute,',
    ['Succeeded', 'Dispute lost', 'Partly refunded'],
  ],
  [
    'de',
    de,
    'ID,Erstellt (Europe/Berlin),Status,Beschreibung,Anfechtung,',
    ['Erfolgreich', 'Anfechtung verloren', 'Teilweise erstattet'],
  ],
] as const)(
  'an export’s header, values and times are translated into %s, wherever a chunk ends',
  (_language, words, heads, [paid, lost, partly]) => {
    const expected = FILE.replace('id,created_at,status,description,dispute_status,', heads)
      .replace('2026-01-31T23:30:00.000Z', '2026-02-01 00:30:00')
      .replace('2026-07-31T22:30:00.000Z', '2026-08-01 00:30:00')
      .replace(',succeeded,"', `,${paid},"`)
      .replace(',lost,', `,${lost},`)
      .replace('partially_refunded', partly);
    const { exportPayments } = filesInWords(words);
    for (const size of [1, 2, 3, 7, FILE.length]) {
      const translated = translator(exportPayments, 'Europe/Berlin');
      let out = '';
      for (let from = 0; from < FILE.length; from += size) out += translated(FILE.slice(from, from + size));
      expect(out).toBe(expected);
    }
  },
);

test.each([
  ['en', en, 'Invoice,Date,Net,VAT ID,Payment ID', 'Credit note,Invoice'],
  ['de', de, 'Rechnung,Datum,Netto,USt-IdNr.,Zahlungs-ID', 'Rechnungskorrektur,Rechnung'],
] as const)(
  'in %s, an accountant finds documents, amounts and tax by their names',
  (_language, words, ofInvoices, ofNotes) => {
    const { exportInvoices, exportCreditNotes } = filesInWords(words);
    expect(
      translator(exportInvoices, 'UTC')(csvLine(['number', 'issued_on', 'net', 'tax_value', 'payment_id'])),
    ).toBe(`${ofInvoices}\r\n`);
    expect(translator(exportCreditNotes, 'UTC')(csvLine(['number', 'invoice_number']))).toBe(
      `${ofNotes}\r\n`,
    );
  },
);

test('every time of an export is shown in the merchant’s time zone', async () => {
  const { paths, components } = JSON.parse(await readFile(join(PROJECT_DIR, 'docs/openapi.json'), 'utf8'));
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? resolved(components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema;
  const times = new Set<string>();
  for (const [path, { get }] of Object.entries<{ get?: { responses: Responses } }>(paths)) {
    const list = path.replace('/exports/', '/search/');
    if (list === path || !get || !paths[list]) continue;
    const page = resolved(paths[list].get.responses[200].content['application/json'].schema);
    const row = resolved(page.properties?.data?.items ?? {}).properties ?? {};
    const header = String(get.responses[200]?.content['text/csv']?.example).trim();
    for (const column of header.split(','))
      if (JSON.stringify(resolved(row[column] ?? {})).includes('date-time')) times.add(column);
  }
  expect(times).toContain('evidence_due_by');
  for (const column of times) {
    const file = csvLine([column]) + csvLine(['2026-01-31T23:30:00.000Z']);
    expect(translator(filesInWords(en).exportPayments, 'Asia/Tokyo')(file)).toMatch(
      / \(Asia\/Tokyo\)\r\n2026-02-01 08:30:00\r\n$/,
    );
  }
});

test('every column has a distinct heading, and no word needs quotes in CSV', async () => {
  const { paths } = JSON.parse(await readFile(join(PROJECT_DIR, 'docs/openapi.json'), 'utf8'));
  for (const words of [en, de]) {
    for (const [list, { heads, values }] of Object.entries(filesInWords(words))) {
      const exported = Object.values<{ get?: { operationId: string; responses: object } }>(paths).find(
        ({ get }) => get?.operationId === list,
      );
      const [, header = ''] = /"example":"(.*?)\\r\\n"/.exec(JSON.stringify(exported?.get?.responses)) ?? [];
      const columns = header.split(',');
      expect(columns).toEqual(expect.arrayContaining(Object.keys(values)));
      expect(Object.keys(heads)).toEqual(expect.arrayContaining(columns));
      expect(new Set(columns.map((column) => heads[column])).size).toBe(columns.length);
      const texts = [heads, ...Object.values(values)].flatMap((each) => Object.values(each));
      for (const text of texts) expect(text).toMatch(/^[\p{L}\p{N}][^",;\r\n]*$/u);
    }
  }
});
