/** GET /v1/merchants/:merchantId/search/refunds and …/exports/refunds: by date of refund, for reconciliation. */
import { foundRefundPage, searchRefundsQuery } from '../../contract/refund/search.ts';
import { searchRefunds } from '../../db/refund/search-refunds.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';
import { decimal } from '../http/lists/send-csv.ts';

export function refundSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'refunds',
    query: searchRefundsQuery,
    datedBy: (row) => row.created_at,
    search: searchRefunds(context.config.api.publicUrl),
    page: {
      operationId: 'searchRefunds',
      summary: 'List refunds by date',
      description:
        'Refunds of one environment, newest first; `from` and `to` are compared with `created_at`. Paginated.',
      ...foundRefundPage,
    },
    csv: {
      operationId: 'exportRefunds',
      columns: {
        id: ({ id }) => id,
        created_at: (row) => row.created_at,
        created_on: (row, dayOf) => dayOf(row.created_at),
        updated_at: (row) => row.updated_at,
        status: ({ status }) => status,
        amount: ({ amount }) => decimal(amount),
        currency: ({ currency }) => currency,
        reason: ({ reason }) => reason,
        failure_code: (row) => row.failure_code,
        payment_id: (row) => row.payment_id,
        order_id: (row) => row.order_id,
        rail: ({ rail }) => rail,
        rail_account_id: (row) => row.rail_account_id,
        rail_refund_id: (row) => row.rail_refund_id,
        rail_order_id: (row) => row.rail_order_id,
        payment_dispute_status: (row) => row.payment_dispute_status,
        credit_note_number: (row) => row.credit_note?.number ?? null,
      },
    },
  });
}
