/** POST /v1/merchants/:merchantId/storefront-clients: a public id for a shop that sells from the browser. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleStorefrontClient,
  newStorefrontClient,
  storefrontClientAnswer,
} from '../../../contract/merchant/storefront-clients.ts';
import { createStorefrontClient } from '../../../db/merchant/manage-storefront-clients.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import type { Route } from '../../http/route.ts';
import { CLIENTS, canonicalOrigins, clientsPath } from './client-of-request.ts';

export function createStorefrontClientRoute(context: ApiContext, gate: MerchantGate): Route {
  const create: RequestHandler = async (request, response) => {
    const fields = parseFields(newStorefrontClient, request.body, 'storefront_client');
    const client = { ...fields, origins: canonicalOrigins(fields.origins, context) };
    const { merchantId } = accessOf(response);
    const created = await createStorefrontClient(context.pool, merchantId, client, actorOf(response));
    sendResource(response, 201, granted(created));
  };
  return {
    method: 'post',
    path: CLIENTS,
    handlers: [...administering(gate, 'manage_endpoints'), create],
    describe,
  };
}

const { environment, name, origins, product_ids, successUrl, failUrl } = exampleStorefrontClient;

const describe: OperationDescription = {
  operationId: 'createStorefrontClient',
  tag: 'Storefront clients',
  summary: 'Create a storefront client',
  description:
    'Its `id` is the public id with which a page calls `/v1/checkout-clients/{publicId}`. It belongs to one ' +
    'environment and works only from the given origins. Origins are stored as browsers send ' +
    'them: `https://Shop.example:443` becomes `https://shop.example`.',
  security: 'person',
  path: clientsPath,
  body: {
    schema: newStorefrontClient,
    example: { environment, name, origins, product_ids, successUrl, failUrl },
    required: true,
  },
  answers: {
    201: {
      description: 'The storefront client.',
      schema: storefrontClientAnswer,
      example: exampleStorefrontClient,
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
