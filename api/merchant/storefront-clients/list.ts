/**
 * GET /v1/merchants/:merchantId/storefront-clients: newest first, including disabled ones; `environment` filters a
 * person's list.
 */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleStorefrontClient,
  storefrontClientList,
} from '../../../contract/merchant/storefront-clients.ts';
import { listStorefrontClients } from '../../../db/merchant/manage-storefront-clients.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf } from '../../http/exchange.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { sendList } from '../../http/lists/list-route.ts';
import type { Route } from '../../http/route.ts';
import { CLIENTS, clientsPath, clientsQuery } from './client-of-request.ts';

export function listStorefrontClientsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const scope = {
      merchantId: accessOf(response).merchantId,
      environment: environmentFilter(request, response),
    };
    await sendList(response, (batch) => listStorefrontClients(pool, scope, batch));
  };
  return { method: 'get', path: CLIENTS, handlers: [...gate.read, list], describe };
}

const { request_id, ...inList } = exampleStorefrontClient;

const describe: OperationDescription = {
  operationId: 'listStorefrontClients',
  tag: 'Storefront clients',
  summary: 'The storefront clients of a merchant',
  description: 'All of them, newest first, including disabled ones.',
  security: 'apiKeyOrPerson',
  path: clientsPath,
  query: clientsQuery,
  answers: {
    200: {
      description: 'The storefront clients.',
      schema: storefrontClientList,
      example: { data: [inList], request_id },
    },
  },
  errors: [],
};
