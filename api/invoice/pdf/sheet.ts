/**
 * The pages of a document. Every text is measured as lines before it is drawn, so that only `nextPage` begins a page;
 * pdfkit's own wrapping would begin a new page for each column that reaches the bottom.
 */
import type { StructureElement } from 'pdfkit';
import type { Paper } from './paper.ts';
import { Paragraph, type Run } from './paragraph.ts';

export const LEFT = 57;
export const RIGHT = 538;
export const INK = '#1a1a1a';
export const GREY = '#5c5c5c';
const RULE = '#c8c8c8';
const TOP = 57;

export interface Sheet {
  readonly pdf: Paper;
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
  /** The line's role for screen readers; null for decoration and repeated text. */
  readonly element: StructureElement | null;
  /** Space below the line, in points. */
  readonly gap?: number;
}

interface Line extends Omit<Text, 'text'> {
  readonly runs: readonly Run[];
  /** The text in reading order; null if it is drawn in that order. */
  readonly reading: string | null;
  readonly x: number;
  readonly height: number;
}

/** Lines one below the other. */
export type Column = readonly Line[];

export function sheetOf(pdf: Paper, bottom: number): Sheet {
  return { pdf, bottom, y: TOP, head: () => {} };
}

export function column(pdf: Paper, box: Box, texts: readonly Text[]): Column {
  return texts.flatMap(({ gap = 0, text, ...rest }) => {
    const { style } = rest;
    const height = use(pdf, style).currentLineHeight(true);
    const paragraph = new Paragraph(pdf, text, style.font);
    const lines = paragraph.lines(box.width, (runs) => widthOfRuns(pdf, runs, style));
    return lines.map((line, n) => {
      const visible = paragraph.runs(paragraph.trimmed(line));
      const reading = paragraph.reading(line);
      return {
        ...rest,
        // The space at a line's end keeps screen readers from joining two words. In right-to-left text it would be
        // drawn first: then only `reading` contains it.
        runs: reading === null ? paragraph.runs(line) : visible,
        reading,
        x: box.align === 'left' ? box.x : box.x + box.width - widthOfRuns(pdf, visible, style),
        height: n === lines.length - 1 ? height + gap : height,
      };
    });
  });
}

export function widthOf(pdf: Paper, text: string, style: Style): number {
  return use(pdf, style).widthOfString(text);
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
  // Each further page takes at least one line: a line taller than a page would otherwise begin pages endlessly.
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

export function drawLines(pdf: Paper, lines: Column, top: number): void {
  let y = top;
  for (let first = 0; first < lines.length; ) {
    const element = lines[first]?.element ?? null;
    const end = lines.findIndex((line, n) => n > first && line.element !== element);
    const together = lines.slice(first, end === -1 ? undefined : end);
    within(pdf, element, () => {
      for (const line of together) {
        drawLine(pdf, line, y);
        y += line.height;
      }
    });
    first += together.length;
  }
}

export function rule(pdf: Paper, y: number): void {
  pdf.markContent('Artifact', { type: 'Layout' });
  pdf.strokeColor(RULE).lineWidth(0.6).moveTo(LEFT, y).lineTo(RIGHT, y).stroke();
  pdf.endMarkedContent();
}

export function child(
  pdf: Paper,
  parent: StructureElement,
  type: string,
  options?: { readonly scope: 'Row' | 'Column' },
): StructureElement {
  const element = pdf.struct(type, options);
  parent.add(element);
  return element;
}

function within(pdf: Paper, element: StructureElement | null, draw: () => void): void {
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

function drawLine(pdf: Paper, { runs, reading, style, x }: Line, top: number): void {
  if (reading !== null) pdf.markContent('Span', { actual: reading });
  // All fonts share the main font's baseline.
  const y = top + (use(pdf, style)._font.ascender / 1_000) * style.size;
  let left = x;
  for (const { text, face } of runs) {
    pdf.font(face.name).fontSize(style.size).fillColor(style.color);
    pdf.text(text, left, y, { lineBreak: false, baseline: 'alphabetic' });
    left += pdf.widthOfString(text);
  }
  if (reading !== null) pdf.endMarkedContent();
}

function widthOfRuns(pdf: Paper, runs: readonly Run[], { size }: Style): number {
  return runs.reduce(
    (sum, { text, face }) => sum + pdf.font(face.name).fontSize(size).widthOfString(text),
    0,
  );
}

function use(pdf: Paper, { font, size }: Style): Paper {
  return pdf.font(font).fontSize(size);
}
