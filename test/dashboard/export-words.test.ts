/** Exported lists have the page's own words for statuses. @reads docs/openapi.json */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { columnsInWords, translator } from '../../dashboard/app/payments/export-words.ts';
import { de } from '../../dashboard/app/words/de.ts';
import { en } from '../../dashboard/app/words/en.ts';
import { csvLine } from '../../domain/core/csv.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const FILE =
  '\ufeff' +
  csvLine(['id', 'created_at', 'status', 'description', 'dispute_status', 'note']) +
  csvLine(['ap_pay_1', '2026-01-31', 'succeeded', 'Tea, "green"\r\nsucceeded', 'lost', 'Żółć']) +
  csvLine(['ap_pay_2', '2026-01-31', 'partially_refunded', 'succeeded', null, 'open']) +
  csvLine(['ap_pay_3', '2026-01-31', 'of_a_later_release', null, 'won', '"']);

test.each([
  ['en', en, ['Succeeded', 'Dispute lost', 'Partly refunded']],
  ['de', de, ['Erfolgreich', 'Anfechtung verloren', 'Teilweise erstattet']],
] as const)(
  'in %s, in their column alone, wherever a chunk ends',
  (_language, words, [paid, lost, partly]) => {
    const expected = FILE.replace(',succeeded,"', `,${paid},"`)
      .replace(',lost,', `,${lost},`)
      .replace('partially_refunded', partly);
    const { exportPayments } = columnsInWords(words);
    for (const size of [1, 2, 3, 7, FILE.length]) {
      const translated = translator(exportPayments);
      let out = '';
      for (let from = 0; from < FILE.length; from += size) out += translated(FILE.slice(from, from + size));
      expect(out).toBe(expected);
    }
  },
);

test('every translated column is in its export, and no word needs quotes', async () => {
  const { paths } = JSON.parse(await readFile(join(PROJECT_DIR, 'docs/openapi.json'), 'utf8'));
  for (const words of [en, de]) {
    for (const [list, columns] of Object.entries(columnsInWords(words))) {
      const exported = Object.values<{ get?: { operationId: string; responses: object } }>(paths).find(
        ({ get }) => get?.operationId === list,
      );
      const [, header = ''] = /"example":"(.*?)\\r\\n"/.exec(JSON.stringify(exported?.get?.responses)) ?? [];
      expect(header.split(',')).toEqual(expect.arrayContaining(Object.keys(columns)));
      const texts = Object.values(columns).flatMap((each) => Object.values(each));
      for (const text of texts) expect(text).toMatch(/^\p{L}[^",;\r\n]*$/u);
    }
  }
});
