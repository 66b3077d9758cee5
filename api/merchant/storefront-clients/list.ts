/**
 * GET /v1/merchants/:merchantId/storefront-clients: newest first, including disabled ones; `environment` filters a
 * person's list.
 */

import type { OperationDescription } from '../../../contract/core/operation.ts';
import { bothEnvironments } from '../../../contract/core/pagination.ts';
import { storefrontClientList } from '../../../contract/merchant/storefront-clients.ts';
import { listStorefrontClients } from '../../../db/merchant/manage-storefront-clients.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listStorefrontClientsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/storefront-clients',
  allow: ['read'],
  describe,
  answer: (request, { merchantId }, response) => {
    const scope = { merchantId, environment: environmentFilter(request, response) };
    return (batch) => listStorefrontClients(pool, scope, batch);
  },
}));

const describe: OperationDescription = {
  operationId: 'listStorefrontClients',
  tag: 'Storefront clients',
  summary: 'The storefront clients of a merchant',
  description: 'All storefront clients, including disabled ones, newest first.',
  query: bothEnvironments,
  answers: { 200: { description: 'The storefront clients.', ...storefrontClientList } },
};
