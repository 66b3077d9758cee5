/**
 * Translates a downloaded list: columns and statuses into the page's language, times into the merchant's time zone. The
 * API's file has the API's names, and UTC.
 */
import type { Operations } from '../api/description.ts';
import type { Words } from '../words/en.ts';

export type ExportId = Exclude<Extract<keyof Operations, `export${string}`>, 'exportCustomer'>;
type ByApiWord = Readonly<Record<string, string>>;
interface FileInWords {
  readonly heads: ByApiWord;
  /** Texts of the API values in each column that holds them, as on the list's page. */
  readonly values: Readonly<Record<string, ByApiWord>>;
}

export function filesInWords(words: Words): Readonly<Record<ExportId, FileInWords>> {
  const { payments, checkouts, subscriptions, invoices, creditNotes, common } = words;
  const { heads, invoice } = words.exports;
  const file = (values: FileInWords['values'], number = heads.id) => ({
    heads: { ...heads, number },
    values,
  });
  const failed = { failure_code: words.declineReasons };
  return {
    exportPayments: file({
      status: words.paymentStatus,
      dispute_status: payments.disputed,
      method: words.methods,
      ...failed,
    }),
    exportRefunds: file({
      status: payments.refundStatus,
      payment_dispute_status: payments.disputed,
      ...failed,
    }),
    exportDisputes: file({ status: payments.disputeStatus }),
    exportCheckouts: file({ state: checkouts.statuses, failure_reason: checkouts.reasons }),
    exportSubscriptions: file({
      status: subscriptions.statuses,
      cancel_at_period_end: { true: common.yes, false: common.no },
    }),
    exportInvoices: file({ status: invoices.statuses }, invoice),
    exportCreditNotes: file({ reason: creditNotes.reasons }, payments.creditNote),
    exportTaxSummary: file({}),
  };
}

const TIME_COLUMN = /_at$|^current_period_|_due_by$/;
/** Spreadsheets read these as times in every language: `2026-11-29 00:30:00`. */
const times = (timeZone: string) =>
  new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'medium', timeZone });

/** @returns a function that translates a file chunk by chunk, in order; a chunk may end in the middle of a cell */
export function translator({ heads, values }: FileInWords, timeZone: string): (chunk: string) => string {
  const time = times(timeZone);
  const headOf = (column: string) =>
    (heads[column] ?? column) + (TIME_COLUMN.test(column) ? ` (${timeZone})` : '');
  const cellOf = (column: string, value: string) =>
    TIME_COLUMN.test(column) && value !== ''
      ? time.format(new Date(value))
      : (values[column]?.[value] ?? value);
  const cell = /(\ufeff?)("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  let header: readonly string[] | null = null;
  let line: string[] = [];
  let rest = '';
  return (chunk) => {
    const text = rest + chunk;
    let translated = '';
    let end = 0;
    cell.lastIndex = 0;
    for (let found = cell.exec(text); found; found = cell.exec(text)) {
      const [, byteOrderMark = '', value = '', separator = ''] = found;
      const shown = header ? cellOf(header[line.length] ?? '', value) : headOf(value);
      translated += byteOrderMark + shown + separator;
      line.push(value);
      if (separator !== ',') {
        header ??= line;
        line = [];
      }
      end = cell.lastIndex;
    }
    rest = text.slice(end);
    return translated;
  };
}
