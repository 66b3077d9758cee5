/** Draws an invoice or credit note on A4. Deterministic: the same document gives the same bytes. */
import type { StructureElement } from 'pdfkit';
import type { InvoiceDocument } from '../../../domain/invoice/document.ts';
import { type InvoiceContent, invoiceContent } from './content.ts';
import { Paper } from './paper.ts';
import {
  type Box,
  type Column,
  child,
  column,
  drawColumns,
  drawLines,
  GREY,
  heightOf,
  INK,
  keepTogether,
  LEFT,
  RIGHT,
  rule,
  type Sheet,
  type Style,
  sheetOf,
  widthOf,
} from './sheet.ts';
import { drawTable, drawTotals } from './table.ts';
import type { InvoiceWords } from './words.ts';

const TITLE: Style = { font: 'bold', size: 20, color: INK };
const NAME: Style = { font: 'bold', size: 12, color: INK };
const SELLER: Style = { font: 'regular', size: 9.5, color: GREY };
const BODY: Style = { font: 'regular', size: 9.5, color: INK };
const LABEL: Style = { font: 'bold', size: 8, color: GREY };
const NOTE: Style = { font: 'regular', size: 8.5, color: GREY };
const FOOT: Style = { font: 'regular', size: 7.5, color: GREY };

const FULL: Box = { x: LEFT, width: RIGHT - LEFT, align: 'left' };
const PARTY: Box = { x: LEFT, width: 240, align: 'left' };
const FACTS: Box = { x: 318, width: RIGHT - 318, align: 'left' };
/** Distance between the last line of the page's foot and the edge of the paper. */
const FOOT_MARGIN = 46;

/** Text in every script that needs a font other than Noto Sans. */
const SAMPLE = 'Kaffee مرحبا שלום 年す한 ไทย श्री ქა Հա 😀';

/**
 * Renders a sample document at the start of the process. The first document compiles the code that unpacks and shapes
 * fonts, which takes more CPU time than a document is allowed.
 */
export async function prepareDocuments(): Promise<void> {
  const pdf = paperOf('en', 'Sample', new Date(0));
  const whole = collect(pdf);
  await pdf.load({ regular: SAMPLE, bold: SAMPLE });
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  const texts = [TITLE, BODY].map((style) => ({ text: SAMPLE, style, element: child(pdf, root, 'P') }));
  drawColumns(sheetOf(pdf, pdf.page.height), [column(pdf, FULL, texts)]);
  pdf.end();
  await whole;
}

export async function renderInvoice(document: InvoiceDocument, words: InvoiceWords): Promise<Buffer> {
  const content = invoiceContent(document, words);
  const pdf = paperOf(words.locale, `${content.title} ${content.number}`, new Date(document.issuedOn));
  const whole = collect(pdf);
  await pdf.load({ regular: JSON.stringify(content), bold: content.sellerName });
  const foot = footOf(pdf, content, words);
  const sheet = sheetOf(pdf, foot.top - 28);
  const root = pdf.struct('Document');
  pdf.addStructure(root);
  drawHead(sheet, root, content, words);
  drawTable(sheet, root, words, content.rows);
  drawTotals(sheet, root, content);
  drawNotes(sheet, root, content);
  foot.draw();
  pdf.end();
  return whole;
}

/** @param title without merchant text: pdfkit copies it into XML without escaping */
function paperOf(lang: string, title: string, issuedOn: Date): Paper {
  return new Paper({
    size: 'A4',
    margin: LEFT,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    lang,
    displayTitle: true,
    info: { Title: title, CreationDate: issuedOn, ModDate: issuedOn },
  });
}

function drawHead(
  sheet: Sheet,
  root: StructureElement,
  { title, sellerName, sellerLines, buyerLines, facts }: InvoiceContent,
  words: InvoiceWords,
): void {
  const { pdf } = sheet;
  const heading = child(pdf, root, 'H1');
  const name = child(pdf, root, 'P');
  drawColumns(sheet, [
    column(pdf, PARTY, [
      { text: sellerName, style: NAME, element: name, gap: 2 },
      ...sellerLines.map((text) => ({ text, style: SELLER, element: child(pdf, root, 'P') })),
    ]),
    column(pdf, { ...FACTS, align: 'right' }, [{ text: title, style: TITLE, element: heading }]),
  ]);
  sheet.y = Math.max(sheet.y, 120) + 32;
  const parties = [buyerColumn(pdf, root, buyerLines, words), factsColumn(pdf, root, facts)];
  keepTogether(sheet, heightOf(parties));
  drawColumns(sheet, parties);
  sheet.y += 26;
}

function buyerColumn(
  pdf: Paper,
  root: StructureElement,
  buyerLines: readonly string[],
  words: InvoiceWords,
): Column {
  const billTo = child(pdf, root, 'H2');
  return column(pdf, PARTY, [
    { text: words.billTo, style: LABEL, element: billTo, gap: 3 },
    ...buyerLines.map((text) => ({ text, style: BODY, element: child(pdf, root, 'P') })),
  ]);
}

function factsColumn(pdf: Paper, root: StructureElement, facts: InvoiceContent['facts']): Column {
  const list = child(pdf, root, 'L');
  const texts = facts.flatMap(([label, value]) => {
    const item = child(pdf, list, 'LI');
    return [
      { text: label, style: LABEL, element: child(pdf, item, 'Lbl'), gap: 1 },
      { text: value, style: BODY, element: child(pdf, item, 'LBody'), gap: 6 },
    ];
  });
  return column(pdf, FACTS, texts);
}

function drawNotes(sheet: Sheet, root: StructureElement, { notes }: InvoiceContent): void {
  for (const text of notes) {
    const note = { text, style: NOTE, element: child(sheet.pdf, root, 'P'), gap: 6 };
    drawColumns(sheet, [column(sheet.pdf, FULL, [note])]);
  }
}

/** Draws the foot of each page: the seller and the page number. */
function footOf(
  pdf: Paper,
  { number, sellerName, sellerLines }: InvoiceContent,
  words: InvoiceWords,
): { readonly top: number; readonly draw: () => void } {
  const pageOf = (page: number, pages: number) => `${number} · ${words.page(page, pages)}`;
  const widest = Math.ceil(widthOf(pdf, pageOf(99, 99), FOOT));
  const right: Box = { x: RIGHT - widest, width: widest, align: 'right' };
  // Isolated, so that a line in Hebrew does not change the order of the others.
  const text = [sellerName, ...sellerLines]
    .filter(Boolean)
    .map((line) => `\u2068${line}\u2069`)
    .join(' · ');
  const box = { ...FULL, width: FULL.width - widest - 20 };
  const seller = column(pdf, box, [{ text, style: FOOT, element: null }]);
  const top = pdf.page.height - FOOT_MARGIN - heightOf([seller]);
  const draw = () => {
    const { start, count } = pdf.bufferedPageRange();
    for (let page = start; page < start + count; page++) {
      pdf.switchToPage(page);
      rule(pdf, top - 8);
      drawLines(pdf, seller, top);
      const which = { text: pageOf(page - start + 1, count), style: FOOT, element: null };
      drawLines(pdf, column(pdf, right, [which]), top);
    }
  };
  return { top, draw };
}

function collect(pdf: Paper): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
