/** A complete list as CSV, streamed in batches: neither process nor browser holds all of it at once. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { csvLine } from '../../../domain/core/csv.ts';
import { enterBigList } from './big-lists.ts';

export const EXPORT_BATCH_ROWS = 500;

/** The header of each column, and its value in a row. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => string | number | null>>;

interface CsvList<Row> {
  /** The file name without its extension. */
  readonly name: string;
  readonly columns: CsvColumns<Row>;
  /** At most `EXPORT_BATCH_ROWS` rows after one; null: the first. */
  readonly read: (after: Row | null) => Promise<readonly Row[]>;
}

/** @throws errors of the first batch, before anything is sent: an unreachable database is still a 503 */
export async function sendCsv<Row>(response: Response, { name, columns, read }: CsvList<Row>): Promise<void> {
  const first = await read(null);
  const big = first.length === EXPORT_BATCH_ROWS ? enterBigList(response) : null;
  const next = (after: Row) => (big ? big.inTurn(() => read(after)) : read(after));
  try {
    response.status(200).type('csv');
    response.set('Content-Disposition', `attachment; filename="${name}.csv"`);
    await pipeline(Readable.from(written(columns, first, next), { highWaterMark: 1 }), response);
  } finally {
    big?.leave();
  }
}

async function* written<Row>(
  columns: CsvColumns<Row>,
  first: readonly Row[],
  read: (after: Row) => Promise<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLine(Object.keys(columns));
  for (let rows = first; rows.length > 0; ) {
    yield rows.map((row) => csvLine(Object.values(columns).map((column) => column(row)))).join('');
    const last = rows.at(-1);
    if (!last || rows.length < EXPORT_BATCH_ROWS) return;
    rows = await read(last);
  }
}

/** Cents with a decimal point. */
export const decimal = (cents: number) => (cents / 100).toFixed(2);
