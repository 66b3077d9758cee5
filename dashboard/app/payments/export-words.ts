/** Puts the page's words for statuses into an exported list; the API's own file has the API's values. */
import type { Operations } from '../api/description.ts';
import type { Words } from '../words/en.ts';

export type ExportId = Exclude<Extract<keyof Operations, `export${string}`>, 'exportCustomer'>;
type OfColumns = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The words of each column that holds API values, as the list's page shows them. */
export function columnsInWords(words: Words): Readonly<Record<ExportId, OfColumns>> {
  const { payments, checkouts, subscriptions, invoices, creditNotes } = words;
  return {
    exportPayments: { status: words.paymentStatus, dispute_status: payments.disputed },
    exportRefunds: { status: payments.refundStatus, payment_dispute_status: payments.disputed },
    exportDisputes: { status: payments.disputeStatus },
    exportCheckouts: { state: checkouts.statuses, failure_reason: checkouts.reasons },
    exportSubscriptions: { status: subscriptions.statuses },
    exportInvoices: { status: invoices.statuses },
    exportCreditNotes: { reason: creditNotes.reasons },
    exportTaxSummary: {},
  };
}

/** @returns a function that translates a file chunk by chunk, in order; a chunk may end in the middle of a cell */
export function translator(ofColumns: OfColumns): (chunk: string) => string {
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  let header: readonly string[] | null = null;
  let line: string[] = [];
  let rest = '';
  return (chunk) => {
    const text = rest + chunk;
    let translated = '';
    let end = 0;
    cell.lastIndex = 0;
    for (let found = cell.exec(text); found; found = cell.exec(text)) {
      const [, value = '', separator = ''] = found;
      const wordsOf = ofColumns[header?.[line.length] ?? ''];
      translated += (wordsOf?.[value] ?? value) + separator;
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
