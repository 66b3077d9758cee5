/**
 * PATCH /v1/merchants/:merchantId/storefront-clients/:clientId: name, origins, products, addresses, `status`. Absent
 * fields stay unchanged.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  storefrontClientAnswer,
  storefrontClientChanges,
} from '../../../contract/merchant/storefront-clients.ts';
import { updateStorefrontClient } from '../../../db/merchant/manage-storefront-clients.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { canonicalOrigins } from './client-of-request.ts';

export const updateStorefrontClientRoute = merchantRoute((context) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId/storefront-clients/:clientId',
  allow: ['manage_endpoints'],
  describe,
  answer: (request, caller) => {
    const clientId = pathId(request, 'clientId');
    const fields = parseFields(storefrontClientChanges, request.body, 'storefront_client');
    const changes = { ...fields, origins: fields.origins && canonicalOrigins(fields.origins, context) };
    return updateStorefrontClient(context.pool, caller, clientId, changes, caller.actor);
  },
}));

const describe: OperationDescription = {
  operationId: 'updateStorefrontClient',
  tag: 'Storefront clients',
  summary: 'Change a storefront client, disable or enable it',
  description:
    'Absent fields stay unchanged; `origins` and `product_ids` replace the whole set. Takes effect with the next request ' +
    'in every process. Existing sessions of the client continue, even if it is disabled.',
  body: {
    schema: storefrontClientChanges,
    example: { origins: ['https://shop.example', 'https://www.shop.example'] },
    required: false,
  },
  answers: { 200: { description: 'The changed storefront client.', ...storefrontClientAnswer } },
  errors: ['checkout_client_not_found', 'product_not_found'],
};
