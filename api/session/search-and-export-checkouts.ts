/** GET /v1/merchants/:merchantId/search/checkouts and …/exports/checkouts: checkouts, newest first. */
import { foundCheckoutPage, searchCheckoutsQuery } from '../../contract/session/search.ts';
import { searchSessions } from '../../db/session/read/search-sessions.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';
import { decimal } from '../http/lists/send-csv.ts';

export function checkoutSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'checkouts',
    query: searchCheckoutsQuery,
    search: searchSessions,
    page: {
      operationId: 'searchCheckouts',
      summary: 'Search checkouts',
      description:
        'Newest first, paginated. `q`: an id of a checkout, payment or customer, an email, a merchant or customer reference, an amount.',
      ...foundCheckoutPage,
    },
    csv: {
      operationId: 'exportCheckouts',
      columns: {
        id: ({ id }) => id,
        created_at: (row) => row.created_at,
        created_on: (row, dayOf) => dayOf(row.created_at),
        state: ({ state }) => state,
        failure_reason: (row) => row.failure_reason,
        amount: ({ amount }) => decimal(amount),
        currency: ({ currency }) => currency,
        product_id: (row) => row.product_id,
        product_name: (row) => row.product_name,
        merchant_reference: (row) => row.merchant_reference,
        customer_id: (row) => row.customer_id,
        email: ({ customer }) => customer.email,
        payment_id: (row) => row.payment_id,
        finished_at: (row) => row.finished_at,
      },
    },
  });
}
