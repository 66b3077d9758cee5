/**
 * Sends a complete list as CSV, streamed in batches, so that neither process nor browser holds the whole list at once.
 * The audit log records who exported the list and how many rows.
 */
import type { Response } from 'express';
import { z } from 'zod';
import type { AnswerDescription } from '../../../contract/core/operation.ts';
import { writeAudit } from '../../../db/core/audit.ts';
import type { Pool } from '../../../db/core/pool.ts';
import { findMerchant } from '../../../db/merchant/merchants.ts';
import { findSettings } from '../../../db/merchant/settings.ts';
import { csvLine } from '../../../domain/core/csv.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { ApiContext } from '../context.ts';
import { actorOf } from '../exchange.ts';
import { enterBigList, sendBatches } from './big-lists.ts';
import { exportName } from './export-name.ts';

export const EXPORT_BATCH_ROWS = 500;
/** Without a byte order mark, Excel reads UTF-8 in the local code page: Å» for Ż. */
const BYTE_ORDER_MARK = '\ufeff';

/** Each column's header and its value in a row; `dayOf` is the merchant's day at an instant, such as 2026-11-29. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row, dayOf: DayOf) => string | number | null>>;
type DayOf = (at: string | number) => string;

export function csvAnswer(description: string, columns: object): AnswerDescription {
  const example = csvLine(Object.keys(columns));
  return { description, schema: z.string(), example, contentType: 'text/csv' };
}

interface CsvList<Row> {
  /** The name of the list in the file's name and the audit log. */
  readonly name: string;
  readonly columns: CsvColumns<Row>;
  readonly filter: CsvFilter;
  /** Returns at most `EXPORT_BATCH_ROWS` rows after the given one; null means from the start. */
  readonly read: (after: Row | null) => Promise<readonly Row[]>;
}

interface CsvFilter {
  readonly scope: Scope;
  readonly status: string | null;
  readonly from?: string | null;
  /** Exclusive. */
  readonly to?: string | null;
  /** Such as 2026-11, instead of `from` and `to`. */
  readonly month?: string;
  /** The audit log records only whether there is a term: the term may be a buyer's address. */
  readonly term?: unknown;
}

/** @throws errors of the first batch, before anything is sent, so that an unreachable database is still a 503 */
export async function sendCsv<Row>(
  { pool }: ApiContext,
  response: Response,
  { name, columns, filter, read }: CsvList<Row>,
): Promise<void> {
  const first = await read(null);
  const big = first.length === EXPORT_BATCH_ROWS ? enterBigList(response) : null;
  const next = (after: Row) => (big ? big.enqueue(() => read(after)) : read(after));
  const { scope, status, from = null, to = null, month = null, term = null } = filter;
  const audit = (rows: number) =>
    writeAudit(pool, {
      ...scope,
      ...actorOf(response),
      action: 'list.exported',
      subjectId: name,
      before: null,
      after: { rows, status, from: month ?? from, to, is_search: term !== null },
    });
  try {
    const dayOf = await daysOf(pool, scope.merchantId);
    const merchant = (await findMerchant(pool, scope.merchantId))?.name ?? '';
    // The end of the period is exclusive.
    const last = month ?? dayOf(to === null ? Date.now() : Date.parse(to) - 1);
    response.status(200).attachment(exportName(merchant, name, month ?? (from && dayOf(from)), last));
    await sendBatches(response, written({ columns, dayOf }, first, next, audit));
  } finally {
    big?.leave();
  }
}

async function daysOf(pool: Pool, merchantId: string): Promise<DayOf> {
  const timeZone = (await findSettings(pool, merchantId))?.time_zone ?? 'UTC';
  const day = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone });
  return (at) => day.format(new Date(at));
}

/** Writes the audit row before the list ends, so that a list without an audit row arrives incomplete. */
async function* written<Row>(
  { columns, dayOf }: { readonly columns: CsvColumns<Row>; readonly dayOf: DayOf },
  first: readonly Row[],
  read: (after: Row) => Promise<readonly Row[]>,
  audit: (rows: number) => Promise<void>,
): AsyncGenerator<string> {
  let sent = 0;
  try {
    yield BYTE_ORDER_MARK + csvLine(Object.keys(columns));
    for (let rows = first; rows.length > 0; ) {
      sent += rows.length;
      yield rows.map((row) => csvLine(Object.values(columns).map((column) => column(row, dayOf)))).join('');
      const last = rows.at(-1);
      if (!last || rows.length < EXPORT_BATCH_ROWS) return;
      rows = await read(last);
    }
  } finally {
    await audit(sent);
  }
}

/** Formats cents with a decimal point. */
export const decimal = (cents: number) => (cents / 100).toFixed(2);
