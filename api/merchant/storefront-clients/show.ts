/** GET /v1/merchants/:merchantId/storefront-clients/:clientId */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleStorefrontClient,
  storefrontClientAnswer,
} from '../../../contract/merchant/storefront-clients.ts';
import { showStorefrontClient } from '../../../db/merchant/manage-storefront-clients.ts';
import { granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';
import type { Route } from '../../http/route.ts';
import { CLIENT, CLIENT_PREFIX, clientPath } from './client-of-request.ts';

export function showStorefrontClientRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const clientId = pathId(request, 'clientId', CLIENT_PREFIX, 'checkout_client_not_found');
    const client = await showStorefrontClient(pool, accessOf(response), clientId);
    sendResource(response, 200, granted(client ?? 'checkout_client_not_found'));
  };
  return { method: 'get', path: CLIENT, handlers: [...gate.read, show], describe };
}

const describe: OperationDescription = {
  operationId: 'showStorefrontClient',
  tag: 'Storefront clients',
  summary: 'One storefront client',
  description: 'The client, even if disabled; a key sees those of its environment.',
  security: 'apiKeyOrPerson',
  path: clientPath,
  answers: {
    200: {
      description: 'The storefront client.',
      schema: storefrontClientAnswer,
      example: exampleStorefrontClient,
    },
  },
  errors: ['checkout_client_not_found'],
};
