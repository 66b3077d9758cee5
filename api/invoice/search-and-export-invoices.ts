/** GET /v1/merchants/:merchantId/search/invoices and …/exports/invoices: invoices, newest first. */
import { foundInvoicePage, searchInvoicesQuery } from '../../contract/invoice/search.ts';
import { searchInvoices } from '../../db/invoice/search-invoices.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';
import { decimal } from '../http/lists/send-csv.ts';
import { DOCUMENT_COLUMNS, sumOf } from './document-columns.ts';

export function invoiceSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'invoices',
    query: searchInvoicesQuery,
    search: searchInvoices(context.config.api.publicUrl),
    page: {
      operationId: 'searchInvoices',
      summary: 'Search invoices',
      description:
        'Newest first, paginated. `q`: a part of the number, an id of an invoice, order, subscription or customer, an email, a merchant or customer reference, an amount.',
      ...foundInvoicePage,
    },
    csv: {
      operationId: 'exportInvoices',
      columns: {
        id: ({ id }) => id,
        number: ({ number }) => number,
        issued_at: (row) => row.issued_at,
        issued_on: (row) => row.issued_on,
        status: ({ status }) => status,
        ...DOCUMENT_COLUMNS,
        paid: (row) => (row.status === 'created' ? sumOf(row, ({ amount }) => amount) : decimal(0)),
        amount_due: (row) => decimal(row.amount_due),
        credited: (row) => decimal(row.credited_amount),
        credit_notes: (row) => row.credit_notes.join(' '),
        refunded: (row) => decimal(row.refunded_amount),
        reverses_credit_note_id: (row) => row.reverses_credit_note_id,
        payment_id: (row) => row.payment_id,
        order_id: (row) => row.order_id,
        subscription_id: (row) => row.subscription_id,
      },
    },
  });
}
