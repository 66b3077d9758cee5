/** GET /v1/merchants/:merchantId/search/subscriptions and …/exports/subscriptions: subscriptions, newest first. */
import { foundSubscriptionPage, searchSubscriptionsQuery } from '../../contract/subscription/search.ts';
import { searchSubscriptions } from '../../db/subscription/read/search-subscriptions.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';
import { decimal } from '../http/lists/send-csv.ts';
import { withoutLink } from './shown-subscription.ts';

export function subscriptionSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'subscriptions',
    query: searchSubscriptionsQuery,
    search: async (...asked: Parameters<typeof searchSubscriptions>) =>
      (await searchSubscriptions(...asked)).map(withoutLink),
    page: {
      operationId: 'searchSubscriptions',
      summary: 'Search subscriptions',
      description:
        'Newest first, paginated. `q`: an id of a subscription, checkout or customer, an email, a merchant or customer reference.',
      ...foundSubscriptionPage,
    },
    csv: {
      operationId: 'exportSubscriptions',
      columns: {
        id: ({ id }) => id,
        created_at: (row) => row.created_at,
        created_on: (row, dayOf) => dayOf(row.created_at),
        status: ({ status }) => status,
        plan_id: ({ plan }) => plan.id,
        plan_name: ({ plan }) => plan.name,
        amount: ({ amount }) => decimal(amount),
        currency: ({ currency }) => currency,
        customer_id: (row) => row.customer_id,
        email: ({ customer }) => customer.email,
        current_period_start: (row) => row.current_period_start,
        current_period_end: (row) => row.current_period_end,
        next_charge_at: (row) => row.next_charge_at,
        cancel_at_period_end: (row) => String(row.cancel_at_period_end),
        cancelled_at: (row) => row.cancelled_at,
      },
    },
  });
}
