/**
 * GET /v1/merchants/:merchantId/search/payments and …/exports/payments: payments of one environment, found by id,
 * email, reference or amount.
 */
import { foundPaymentPage, searchPaymentsQuery } from '../../contract/payment/search.ts';
import { searchPayments } from '../../db/payment/search-payments.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';
import { decimal } from '../http/lists/send-csv.ts';

export function paymentSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'payments',
    query: searchPaymentsQuery,
    datedBy: (row) => row.created_at,
    search: searchPayments,
    page: {
      operationId: 'searchPayments',
      summary: 'Search payments',
      description:
        'Newest first, paginated. `q` is a complete id (of a payment, order, checkout, customer, subscription, ' +
        'invoice, refund or dispute, or the card processor’s), an email address, a merchant reference, a customer ' +
        'reference or an amount such as `19.00`.',
      ...foundPaymentPage,
    },
    csv: {
      operationId: 'exportPayments',
      description:
        'All rows of `GET …/search/payments`, streamed. UTF-8 with a header line; amounts with a decimal ' +
        'point. A text that a spreadsheet would run as a formula is prefixed with an apostrophe, even after a ' +
        'semicolon, a `|`, a tab or a line break inside a value. The audit log records who exported the list and how many rows.',
      columns: {
        id: ({ id }) => id,
        created_at: (row) => row.created_at,
        created_on: (row, dayOf) => dayOf(row.created_at),
        status: ({ status }) => status,
        amount: ({ amount }) => decimal(amount),
        refunded_amount: (row) => decimal(row.refunded_amount),
        currency: ({ currency }) => currency,
        description: ({ description }) => description,
        merchant_reference: (row) => row.merchant_reference,
        customer_id: ({ customer }) => customer?.id ?? null,
        external_customer_id: ({ customer }) => customer?.external_customer_id ?? null,
        email: ({ customer }) => customer?.email ?? null,
        method: (row) => row.payment_method?.type ?? null,
        last4: (row) => row.payment_method?.last4 ?? null,
        failure_code: (row) => row.failure_code,
        rail: ({ rail }) => rail,
        rail_order_id: (row) => row.rail_order_id,
        order_id: (row) => row.order_id,
        dispute_status: (row) => row.dispute_status,
        disputed_amount: (row) => decimal(row.disputed_amount),
      },
    },
  });
}
