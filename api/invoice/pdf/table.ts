/** The tables of an invoice's lines and of its totals. Columns are as wide as the text in them. */
import type { StructureElement } from 'pdfkit';
import type { InvoiceContent, InvoiceRow, Labelled } from './content.ts';
import type { Paper } from './paper.ts';
import {
  type Box,
  type Column,
  child,
  column,
  drawColumns,
  GREY,
  heightOf,
  INK,
  keepTogether,
  LEFT,
  RIGHT,
  rule,
  type Sheet,
  type Style,
  widthOf,
} from './sheet.ts';

const HEAD: Style = { font: 'bold', size: 8, color: GREY };
const CELL: Style = { font: 'regular', size: 9, color: INK };
const SUM: Style = CELL;
const TOTAL: Style = { font: 'bold', size: 11.5, color: INK };
/** Space between columns. */
const GAP = 10;
/** Space around the rule below a row. */
const RULE_GAP = { above: 5, below: 7 };
/** Column headings wider than this wrap. */
const HEAD_WIDTH = 58;

const NUMBERS = ['quantity', 'unitNet', 'rate', 'net', 'vat', 'gross'] as const;
const KEYS = ['description', ...NUMBERS] as const;
type Boxes = Readonly<Record<keyof InvoiceRow, Box>>;
type ElementOf = () => StructureElement | null;

export function drawTable(
  sheet: Sheet,
  parent: StructureElement,
  head: InvoiceRow,
  rows: readonly InvoiceRow[],
): void {
  const { pdf } = sheet;
  const boxes = boxesOf(pdf, head, rows);
  const table = child(pdf, parent, 'Table');
  const headRow = child(pdf, child(pdf, table, 'THead'), 'TR');
  const body = child(pdf, table, 'TBody');
  const headCells = cells(pdf, boxes, head, HEAD, () => child(pdf, headRow, 'TH', { scope: 'Column' }));
  const repeated = cells(pdf, boxes, head, HEAD, () => null);
  const rowCells = rows.map((row) => {
    const element = child(pdf, body, 'TR');
    return cells(pdf, boxes, row, CELL, () => child(pdf, element, 'TD'));
  });
  keepTogether(sheet, rowHeight(headCells) + rowHeight(rowCells[0] ?? []));
  drawRow(sheet, headCells);
  sheet.head = () => drawRow(sheet, repeated);
  for (const row of rowCells) {
    keepTogether(sheet, rowHeight(row));
    drawRow(sheet, row);
  }
  sheet.head = () => {};
}

export function drawTotals(sheet: Sheet, parent: StructureElement, { totals, total }: InvoiceContent): void {
  const { pdf } = sheet;
  const table = child(pdf, parent, 'Table');
  const widest = Math.max(
    ...totals.map(([, value]) => widthOf(pdf, value, SUM)),
    widthOf(pdf, total[1], TOTAL),
  );
  const values: Box = { x: RIGHT - Math.ceil(widest), width: Math.ceil(widest), align: 'right' };
  const labels: Box = { x: LEFT + 100, width: values.x - 16 - LEFT - 100, align: 'right' };
  const sum = ([label, value]: Labelled, style: Style, gap: number): readonly Column[] => {
    const row = child(pdf, table, 'TR');
    return [
      column(pdf, labels, [{ text: label, style, element: child(pdf, row, 'TH', { scope: 'Row' }), gap }]),
      column(pdf, values, [{ text: value, style, element: child(pdf, row, 'TD'), gap }]),
    ];
  };
  const rows = [
    ...totals.map((line, n) => sum(line, SUM, n === totals.length - 1 ? 9 : 5)),
    sum(total, TOTAL, 14),
  ];
  keepTogether(
    sheet,
    rows.reduce((height, row) => height + heightOf(row), 6),
  );
  sheet.y += 6;
  for (const row of rows) drawColumns(sheet, row);
}

function cells(
  pdf: Paper,
  boxes: Boxes,
  row: InvoiceRow,
  style: Style,
  elementOf: ElementOf,
): readonly Column[] {
  return KEYS.map((key) => column(pdf, boxes[key], [{ text: row[key], style, element: elementOf() }]));
}

function drawRow(sheet: Sheet, row: readonly Column[]): void {
  drawColumns(sheet, row);
  rule(sheet.pdf, sheet.y + RULE_GAP.above);
  sheet.y += RULE_GAP.above + RULE_GAP.below;
}

function rowHeight(row: readonly Column[]): number {
  return heightOf(row) + RULE_GAP.above + RULE_GAP.below;
}

/** Measures the columns. Numbers never wrap: amounts of 20 million leave at least 95 points for the description. */
function boxesOf(pdf: Paper, head: InvoiceRow, rows: readonly InvoiceRow[]): Boxes {
  let right = RIGHT;
  const numbers = NUMBERS.toReversed().map((key) => {
    const ofCells = rows.map((row) => widthOf(pdf, row[key], CELL));
    const width = Math.ceil(Math.max(headWidth(pdf, head[key]), ...ofCells));
    const box: Box = { x: right - width, width, align: 'right' };
    right -= width + GAP;
    return [key, box] as const;
  });
  const description: Box = { x: LEFT, width: right - LEFT, align: 'left' };
  return { description, ...(Object.fromEntries(numbers) as Omit<Boxes, 'description'>) };
}

function headWidth(pdf: Paper, text: string): number {
  const words = text.split(' ').map((word) => widthOf(pdf, word, HEAD));
  return Math.max(Math.min(widthOf(pdf, text, HEAD), HEAD_WIDTH), ...words);
}
