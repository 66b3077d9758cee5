/** Draws an invoice on A4. Deterministic: the same invoice gives the same bytes. */
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import type { PrintableInvoice } from '../../../db/invoice/invoice-pdfs.ts';
import { type InvoiceContent, type InvoiceRow, invoiceContent } from './content.ts';

/** Noto Sans: Latin, Greek and Cyrillic, for names and addresses from all over Europe. */
const FONTS = {
  regular: fileURLToPath(new URL('fonts/NotoSans-Regular.ttf', import.meta.url)),
  bold: fileURLToPath(new URL('fonts/NotoSans-SemiBold.ttf', import.meta.url)),
};

const LEFT = 57;
const RIGHT = 538;
const FACTS_AT = 318;
const FOOT = 84;
const INK = '#1a1a1a';
const GREY = '#5c5c5c';
const RULE = '#c8c8c8';

type Column = readonly [key: keyof InvoiceRow, x: number, width: number];
const COLUMNS: readonly Column[] = [
  ['description', LEFT, 146],
  ['quantity', 205, 32],
  ['unitNet', 241, 76],
  ['rate', 321, 40],
  ['net', 365, 56],
  ['vat', 425, 50],
  ['gross', 479, RIGHT - 479],
];

export function renderInvoice(invoice: PrintableInvoice): Promise<Buffer> {
  const content = invoiceContent(invoice);
  const issuedAt = new Date(invoice.issued_at);
  const pdf = new PDFDocument({
    size: 'A4',
    margins: { top: 57, bottom: FOOT, left: LEFT, right: LEFT },
    bufferPages: true,
    pdfVersion: '1.7',
    lang: content.words.locale,
    displayTitle: true,
    info: {
      Title: `${content.title} ${content.number}`,
      Author: content.supplierName,
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
  const whole = collect(pdf);
  pdf.registerFont('regular', FONTS.regular).registerFont('bold', FONTS.bold);
  drawHead(pdf, content);
  drawRows(pdf, content);
  drawTotals(pdf, content);
  drawFeet(pdf, content);
  pdf.end();
  return whole;
}

function drawHead(pdf: PDFDocument, content: InvoiceContent): void {
  const { words } = content;
  pdf.font('bold').fontSize(12).fillColor(INK).text(content.supplierName, LEFT, 57, { width: 240 });
  lines(pdf, content.supplierLines, LEFT, pdf.y + 2, 240);
  const supplierEnd = pdf.y;
  pdf.font('bold').fontSize(20).fillColor(INK);
  pdf.text(content.title, FACTS_AT, 50, { width: RIGHT - FACTS_AT, align: 'right' });

  const top = Math.max(supplierEnd, 120) + 32;
  label(pdf, words.billTo, LEFT, top);
  lines(pdf, content.customerLines, LEFT, top + 14, 240, INK);
  const customerEnd = pdf.y;
  let y = top;
  for (const [name, value] of content.facts) {
    label(pdf, name, FACTS_AT, y);
    pdf.font('regular').fontSize(9.5).fillColor(INK);
    pdf.text(value, FACTS_AT, y + 12, { width: RIGHT - FACTS_AT });
    y = pdf.y + 6;
  }
  pdf.y = Math.max(customerEnd, y) + 26;
}

function drawRows(pdf: PDFDocument, { rows, words }: InvoiceContent): void {
  const head: InvoiceRow = words;
  drawRow(pdf, head, 'bold');
  for (const row of rows) {
    pdf.font('regular').fontSize(9);
    const height = pdf.heightOfString(row.description, { width: 146 });
    if (pdf.y + height + 20 > pdf.page.height - FOOT) {
      pdf.addPage();
      drawRow(pdf, head, 'bold');
    }
    drawRow(pdf, row, 'regular');
  }
}

function drawRow(pdf: PDFDocument, row: InvoiceRow, font: 'regular' | 'bold'): void {
  const y = pdf.y;
  pdf
    .font(font)
    .fontSize(font === 'bold' ? 8 : 9)
    .fillColor(font === 'bold' ? GREY : INK);
  let bottom = y;
  for (const [key, x, width] of COLUMNS) {
    pdf.text(row[key], x, y, { width, align: key === 'description' ? 'left' : 'right' });
    bottom = Math.max(bottom, pdf.y);
  }
  rule(pdf, bottom + 5);
  pdf.y = bottom + 12;
}

function drawTotals(pdf: PDFDocument, { totals, total, notes }: InvoiceContent): void {
  if (pdf.y + 24 * (totals.length + 2) > pdf.page.height - FOOT) pdf.addPage();
  let y = pdf.y + 6;
  const sum = ([name, value]: readonly [string, string], font: 'regular' | 'bold', size: number) => {
    pdf.font(font).fontSize(size).fillColor(INK);
    pdf.text(name, 241, y, { width: 180, align: 'right' });
    pdf.text(value, 425, y, { width: RIGHT - 425, align: 'right' });
    y = pdf.y + 5;
  };
  for (const line of totals) sum(line, 'regular', 9);
  y += 4;
  sum(total, 'bold', 11.5);
  pdf.font('regular').fontSize(8.5).fillColor(GREY);
  for (const note of notes) pdf.text(note, LEFT, pdf.y + 14, { width: RIGHT - LEFT });
}

function drawFeet(pdf: PDFDocument, { words, number, supplierName, supplierLines }: InvoiceContent): void {
  const { start, count } = pdf.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    pdf.switchToPage(page);
    // The footer is in the margin, where text would otherwise start a new page.
    pdf.page.margins.bottom = 0;
    const y = pdf.page.height - 56;
    rule(pdf, y - 8);
    pdf.font('regular').fontSize(7.5).fillColor(GREY);
    pdf.text([supplierName, ...supplierLines].filter(Boolean).join(' · '), LEFT, y, { width: 380 });
    const which = `${number} · ${words.page(page - start + 1, count)}`;
    pdf.text(which, 440, y, { width: RIGHT - 440, align: 'right' });
  }
}

function label(pdf: PDFDocument, text: string, x: number, y: number): void {
  pdf.font('bold').fontSize(8).fillColor(GREY).text(text, x, y, { width: 220 });
}

function lines(
  pdf: PDFDocument,
  all: readonly string[],
  x: number,
  top: number,
  width: number,
  color = GREY,
): void {
  pdf.font('regular').fontSize(9.5).fillColor(color);
  pdf.y = top;
  for (const line of all) pdf.text(line, x, pdf.y, { width, lineGap: 1.5 });
}

function rule(pdf: PDFDocument, y: number): void {
  pdf.strokeColor(RULE).lineWidth(0.6).moveTo(LEFT, y).lineTo(RIGHT, y).stroke();
}

function collect(pdf: PDFDocument): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
    pdf.on('end', () => resolve(Buffer.concat(chunks)));
    pdf.on('error', reject);
  });
}
