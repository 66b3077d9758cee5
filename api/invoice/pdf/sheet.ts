/**
 * The pages of a document. Every text is measured as lines before it is drawn, so that only `nextPage` begins a page;
 * pdfkit's own wrapping would begin a new page for each column that reaches the bottom.
 */
import PDFDocument, { LineWrapper, type StructureElement } from 'pdfkit';

export const LEFT = 57;
export const RIGHT = 538;
export const INK = '#1a1a1a';
export const GREY = '#5c5c5c';
const RULE = '#c8c8c8';
const TOP = 57;

export interface Sheet {
  readonly pdf: PDFDocument;
  /** Where the pages' content ends. */
  readonly bottom: number;
  y: number;
  /** Repeated at the top of each new page. */
  head: () => void;
}

export interface Style {
  readonly font: 'regular' | 'bold';
  readonly size: number;
  readonly color: string;
}

export interface Box {
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right';
}

interface Text {
  readonly text: string;
  readonly style: Style;
  /** The line's role for screen readers; null for decoration and repeated texts. */
  readonly element: StructureElement | null;
  /** Space below the line, in points. */
  readonly gap?: number;
}

interface Line extends Text {
  readonly x: number;
  readonly height: number;
}

/** Lines one below the other. */
export type Column = readonly Line[];

export function sheetOf(pdf: PDFDocument, bottom: number): Sheet {
  return { pdf, bottom, y: TOP, head: () => {} };
}

export function column(pdf: PDFDocument, box: Box, texts: readonly Text[]): Column {
  return texts.flatMap(({ gap = 0, ...text }) => {
    use(pdf, text.style);
    const height = pdf.currentLineHeight(true);
    const lines = linesOf(pdf, printable(pdf, text.text), box.width);
    return lines.map((line, n) => ({
      ...text,
      text: line,
      x: box.align === 'left' ? box.x : box.x + box.width - pdf.widthOfString(line.trimEnd()),
      height: n === lines.length - 1 ? height + gap : height,
    }));
  });
}

export function widthOf(pdf: PDFDocument, text: string, style: Style): number {
  use(pdf, style);
  return pdf.widthOfString(text);
}

export function heightOf(columns: readonly Column[]): number {
  return Math.max(0, ...columns.map((lines) => lines.reduce((sum, { height }) => sum + height, 0)));
}

/** Begins a new page unless the current one has this height left. */
export function keepTogether(sheet: Sheet, height: number): void {
  if (sheet.y + height > sheet.bottom && height <= sheet.bottom - TOP) nextPage(sheet);
}

/** Draws columns side by side and continues on the next page if they do not fit. */
export function drawColumns(sheet: Sheet, columns: readonly Column[]): void {
  let rest = columns;
  // Each further page takes at least one line: a line taller than a page would otherwise begin pages for ever.
  for (let atLeast = 0; ; atLeast = 1) {
    const here = rest.map((lines) =>
      lines.slice(0, Math.max(atLeast, fitting(lines, sheet.bottom - sheet.y))),
    );
    for (const lines of here) drawLines(sheet.pdf, lines, sheet.y);
    sheet.y += heightOf(here);
    rest = rest.map((lines, n) => lines.slice(here[n]?.length));
    if (rest.every((lines) => lines.length === 0)) return;
    nextPage(sheet);
  }
}

export function drawLines(pdf: PDFDocument, lines: Column, top: number): void {
  let y = top;
  for (let first = 0; first < lines.length; ) {
    const element = lines[first]?.element ?? null;
    const end = lines.findIndex((line, n) => n > first && line.element !== element);
    const together = lines.slice(first, end === -1 ? undefined : end);
    within(pdf, element, () => {
      for (const { text, style, x, height } of together) {
        use(pdf, style).fillColor(style.color).text(text, x, y, { lineBreak: false });
        y += height;
      }
    });
    first += together.length;
  }
}

export function rule(pdf: PDFDocument, y: number): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf.strokeColor(RULE).lineWidth(0.6).moveTo(LEFT, y).lineTo(RIGHT, y).stroke();
  pdf.endMarkedContent();
}

export function child(
  pdf: PDFDocument,
  parent: StructureElement,
  type: string,
  options?: { readonly scope: 'Row' | 'Column' },
): StructureElement {
  const element = pdf.struct(type, options);
  parent.add(element);
  return element;
}

function within(pdf: PDFDocument, element: StructureElement | null, draw: () => void): void {
  if (element) element.add(draw);
  else {
    pdf.markContent('Artifact', { type: 'Pagination' });
    draw();
    pdf.endMarkedContent();
  }
}

function nextPage(sheet: Sheet): void {
  sheet.pdf.addPage();
  sheet.y = TOP;
  sheet.head();
}

function fitting(lines: Column, room: number): number {
  let left = room;
  let count = 0;
  for (const { height } of lines) {
    left -= height;
    if (left < 0) break;
    count += 1;
  }
  return count;
}

/** Replaces characters that the font lacks by their code, and removes invisible ones. */
function printable(pdf: PDFDocument, text: string): string {
  const { font } = pdf._font;
  return text.replace(/[^\n]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (font.hasGlyphForCodePoint(code)) return character;
    if (/\p{Default_Ignorable_Code_Point}/u.test(character)) return '';
    return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}

function linesOf(pdf: PDFDocument, text: string, width: number): readonly string[] {
  if (!text.includes('\n') && pdf.widthOfString(text) <= width) return [text];
  const lines: string[] = [];
  const wrapper = new LineWrapper(pdf, { width, height: Number.POSITIVE_INFINITY });
  // Keep the space at the end of a line, so that screen readers do not join its last word with the next line's first.
  wrapper.on('line', (line: string) => lines.push(line.replace('\n', ' ')));
  wrapper.wrap(text, {});
  return lines;
}

function use(pdf: PDFDocument, { font, size }: Style): PDFDocument {
  return pdf.font(font).fontSize(size);
}
