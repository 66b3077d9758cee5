/** POST /v1/merchants/:merchantId/storefront-clients: a public id for a shop that sells from the browser. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleStorefrontClient,
  newStorefrontClient,
  storefrontClientAnswer,
} from '../../../contract/merchant/storefront-clients.ts';
import {
  createStorefrontClient,
  showStorefrontClient,
} from '../../../db/merchant/manage-storefront-clients.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { createRoute } from '../../http/routes/keyed-route.ts';
import { canonicalOrigins } from './client-of-request.ts';

export const createStorefrontClientRoute = createRoute((context) => ({
  path: '/v1/merchants/:merchantId/storefront-clients',
  allow: ['manage_endpoints'],
  describe,
  idPrefix: 'ap_pcl_',
  find: (pool, merchantId, id) => showStorefrontClient(pool, { merchantId, environment: null }, id),
  create: async (request, { merchantId, actor }, id) => {
    const fields = parseFields(newStorefrontClient, request.body, 'storefront_client');
    const client = { ...fields, origins: canonicalOrigins(fields.origins, context) };
    return createStorefrontClient(context.pool, merchantId, client, actor, id);
  },
}));

const { environment, name, origins, product_ids, successUrl, failUrl } = exampleStorefrontClient;

const describe: OperationDescription = {
  operationId: 'createStorefrontClient',
  tag: 'Storefront clients',
  summary: 'Create a storefront client',
  description:
    'Its `id` is the public id with which a page calls `/v1/checkout-clients/{publicId}`. It belongs to one ' +
    'environment and works only from the given origins. Origins are stored as browsers send ' +
    'them: `https://Shop.example:443` becomes `https://shop.example`.',
  idempotencyKey: 'optional',
  body: {
    schema: newStorefrontClient,
    example: { environment, name, origins, product_ids, successUrl, failUrl },
    required: true,
  },
  answers: {
    201: {
      description: 'The storefront client.',
      ...storefrontClientAnswer,
      links: [
        {
          operationId: 'showStorefrontClient',
          parameters: { merchantId: '$response.body#/merchant_id', clientId: '$response.body#/id' },
        },
      ],
    },
  },
  errors: ['product_not_found'],
};
