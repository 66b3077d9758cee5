/** GET /v1/merchants/:merchantId/storefront-clients/:clientId */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { storefrontClientAnswer } from '../../../contract/merchant/storefront-clients.ts';
import { showStorefrontClient } from '../../../db/merchant/manage-storefront-clients.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const showStorefrontClientRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/storefront-clients/:clientId',
  allow: ['read'],
  describe,
  answer: async (request, caller) => {
    const clientId = pathId(request, 'clientId');
    return (await showStorefrontClient(pool, caller, clientId)) ?? 'checkout_client_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'showStorefrontClient',
  tag: 'Storefront clients',
  summary: 'One storefront client',
  description: 'The client, even if disabled; a key sees those of its environment.',
  answers: { 200: { description: 'The storefront client.', ...storefrontClientAnswer } },
  errors: ['checkout_client_not_found'],
};
