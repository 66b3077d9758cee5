/** GET /v1/merchants/:merchantId/search/credit-notes and …/exports/credit-notes: credit notes, newest first. */
import { pageOf } from '../../contract/core/answers.ts';
import { creditNote, exampleCreditNote } from '../../contract/invoice/credit-note.ts';
import { searchCreditNotesQuery } from '../../contract/invoice/search.ts';
import { searchCreditNotes } from '../../db/invoice/search-credit-notes.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';
import { DOCUMENT_COLUMNS } from './document-columns.ts';

export function creditNoteSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'credit-notes',
    query: searchCreditNotesQuery,
    search: searchCreditNotes(context.config.api.publicUrl),
    page: {
      operationId: 'searchCreditNotes',
      summary: 'Search credit notes',
      description:
        'Newest first, paginated. `q`: a part of the number, its invoice’s number, an id of a credit note, invoice, refund, payment or customer, an email, a customer reference.',
      ...pageOf(creditNote, exampleCreditNote),
    },
    csv: {
      operationId: 'exportCreditNotes',
      columns: {
        id: ({ id }) => id,
        number: ({ number }) => number,
        issued_at: (row) => row.issued_at,
        issued_on: (row) => row.issued_on,
        invoice_id: (row) => row.invoice_id,
        invoice_number: (row) => row.invoice_number,
        reason: ({ reason }) => reason,
        ...DOCUMENT_COLUMNS,
        payment_id: (row) => row.payment_id,
        refund_id: (row) => row.refund_id,
        order_id: (row) => row.order_id,
        subscription_id: (row) => row.subscription_id,
      },
    },
  });
}
