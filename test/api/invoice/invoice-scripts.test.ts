/** Names of people and products in any script are drawn in reading order and never dropped. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Paper } from '../../../api/invoice/pdf/paper.ts';
import { Paragraph } from '../../../api/invoice/pdf/paragraph.ts';
import { renderInvoice } from '../../../api/invoice/pdf/render-invoice.ts';
import { invoiceWords } from '../../../api/invoice/pdf/words.ts';
import { documentOf } from '../../../db/invoice/invoice-document.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { issuedDocument, itemOf } from '../../support/api/issued-document.ts';
import { pictureOf, textOf } from '../../support/tool/pdf.ts';

const NAMES = {
  Arabic: 'محمد بن عبد الرحمن',
  Hebrew: 'דוד בן גוריון',
  Chinese: '高级会员年度订阅（含税）',
  Taiwanese: '臺灣烏龍茶',
  Japanese: '株式会社すずき食品',
  Korean: '프리미엄 연간 구독',
  Thai: 'บริษัท กรุงเทพ จำกัด',
  Hindi: 'श्रीमान् त्रिपाठी जी',
  Georgian: 'ქართული ღვინო',
  Armenian: 'Հայկական սուրճ',
  emoji: '😀 ☕',
};

const pdfOf = (descriptions: readonly string[], name = 'Zofia') => {
  const issued = issuedDocument({ line_items: descriptions.map((text) => itemOf(text, 1_900)) });
  return renderInvoice(documentOf({ ...issued, customer: { ...issued.customer, name } }), invoiceWords('en'));
};

test('names in ten scripts are drawn, can be copied, and need at most 200 kB', async () => {
  const pdf = await pdfOf(Object.values(NAMES), Object.values(NAMES).join(' '));
  const text = (await textOf(pdf)).normalize('NFKD');
  // Compared letter by letter: Thai and Hindi vowels are copied in the order in which they are drawn.
  for (const [script, name] of Object.entries(NAMES))
    for (const letter of name.normalize('NFKD').match(/[\p{L}\p{So}]/gu) ?? [])
      expect([script, letter, text.includes(letter)]).toEqual([script, letter, true]);
  expect(text).not.toContain('[U+');
  expect(pdf.length).toBeLessThan(200_000);
  const { share: blank } = await pictureOf(await pdfOf(Array(11).fill(' '), ' '));
  expect((await pictureOf(pdf)).share).toBeGreaterThan(blank * 1.3);
});

test('Arabic letters are joined and read from right to left', async () => {
  const paper = await paperWith(NAMES.Arabic);
  const paragraph = new Paragraph(paper, 'محمد (A1)', 'regular');
  expect(paragraph.runs({ start: 0, end: 9 }).map(({ text }) => text)).toEqual(['(', 'A1', ')', ' ', 'محمد']);
});

test('a letter can be copied and read aloud after a document that has it only as a part of another', async () => {
  expect(await textOf(await pdfOf(['Ẍ']))).toContain('Ẍ');
  expect(await textOf(await pdfOf(['Xylophon']))).toContain('Xylophon');
});

test('white space that no font contains is drawn as a space or a line break', async () => {
  const text = await textOf(
    await pdfOf(['A\tlarge\u2003mug\r\nand a saucer\u2028both white'], 'Hauptstr. 1\r\nHinterhaus'),
  );
  expect(text).not.toContain('[U+');
  expect(text).toMatch(/A large mug/);
});

test('the installed fonts take at most 40 MB', async () => {
  const { dependencies } = JSON.parse(await readFile(join(PROJECT_DIR, 'package.json'), 'utf8'));
  const packages = Object.keys(dependencies).filter((name) => name.startsWith('@fontsource'));
  const folders = packages.map((name) => join(PROJECT_DIR, 'node_modules', name));
  const sizes = await Promise.all([join(PROJECT_DIR, 'api/invoice/pdf/fonts'), ...folders].map(bytesIn));
  expect(Math.min(...sizes)).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(40_000_000);
});

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Examples of UAX 9: capital letters stand for Hebrew. Curly quotation marks have no mirror image. */
test.each([
  ['car means CAR.', 'car means RAC.'],
  ['CAR means car.', '.means car RAC'],
  ['“CAR (1)”', '”(1) RAC“'],
  ['he said “\u2067car MEANS CAR\u2069.”', 'he said “RAC SNAEM car.”'],
  [
    'DID YOU SAY ‘\u2066he said “\u2067car MEANS CAR\u2069”\u2069’?',
    '?’he said “RAC SNAEM car”‘ YAS UOY DID',
  ],
  ['A1B', 'B1A'],
  ['1 A 2', '2 A 1'],
])('%j is drawn as %j', async (given, drawn) => {
  const hebrew = (text: string) =>
    text.replace(/[A-Z]/g, (letter) => String.fromCharCode(0x5d0 + letter.charCodeAt(0) - 65));
  const paper = await paperWith(hebrew(given));
  const runs = new Paragraph(paper, hebrew(given), 'regular').runs({ start: 0, end: given.length });
  const shown = runs.map(({ text, face }) => (face.isRightToLeft ? [...text].reverse().join('') : text));
  expect(shown.join('')).toBe(hebrew(drawn));
});

test('a character missing from every font is printed as its code, and an invisible character is omitted', async () => {
  const text = await textOf(await pdfOf(['Kaffee'], 'ZÓE \u0ba4\ufe0f\u200b Ż'));
  expect(text).toContain('ZÓE [U+0BA4] Ż');
});

async function paperWith(text: string): Promise<Paper> {
  const paper = new Paper({
    size: 'A4',
    margin: 57,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    info: {},
  });
  await paper.load({ regular: text, bold: '' });
  return paper;
}
