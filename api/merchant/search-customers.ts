/** GET /v1/merchants/:merchantId/search/customers: customers, newest first. */
import { periodQuery } from '../../contract/core/pagination.ts';
import { foundCustomerPage } from '../../contract/merchant/customers.ts';
import { searchCustomers } from '../../db/merchant/search-customers.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { searchedList } from '../http/lists/searched-list.ts';

export function customerSearchRoutes(context: ApiContext, gate: MerchantGate) {
  return searchedList(context, gate, {
    name: 'customers',
    query: periodQuery,
    search: searchCustomers,
    page: {
      operationId: 'searchCustomers',
      summary: 'Search customers',
      description: 'Newest first, paginated. `q`: an id, an email or your customer reference.',
      ...foundCustomerPage,
    },
  });
}
