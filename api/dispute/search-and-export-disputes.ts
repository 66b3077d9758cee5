/** GET /v1/merchants/:merchantId/search/disputes and …/exports/disputes: disputes by the day they were opened. */
import { foundDisputePage, searchDisputesQuery } from '../../contract/dispute/search.ts';
import { searchDisputes } from '../../db/dispute/search-disputes.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';
import { decimal } from '../http/lists/send-csv.ts';

export function disputeSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'disputes',
    query: searchDisputesQuery,
    datedBy: (row) => row.opened_at,
    search: searchDisputes,
    page: {
      operationId: 'searchDisputes',
      summary: 'List disputes by date',
      description:
        'Disputes of one environment, most recently opened first; `from` and `to` are compared with `opened_at`. Paginated.',
      ...foundDisputePage,
    },
    csv: {
      operationId: 'exportDisputes',
      columns: {
        id: ({ id }) => id,
        opened_at: (row) => row.opened_at,
        opened_on: (row, dayOf) => dayOf(row.opened_at),
        updated_at: (row) => row.updated_at,
        status: ({ status }) => status,
        amount: ({ amount }) => decimal(amount),
        currency: ({ currency }) => currency,
        reason: ({ reason }) => reason,
        evidence_due_by: (row) => row.evidence_due_by,
        payment_id: (row) => row.payment_id,
        subscription_id: (row) => row.subscription_id,
        rail: ({ rail }) => rail,
        rail_account_id: (row) => row.rail_account_id,
        rail_dispute_id: (row) => row.rail_dispute_id,
        rail_order_id: (row) => row.rail_order_id,
      },
    },
  });
}
