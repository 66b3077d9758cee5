/** GET …/storefront-clients: newest first, the disabled ones too; `environment` narrows a person's list. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/operation.ts';
import { exampleStorefrontClient, storefrontClientList } from '../../../contract/storefront-clients.ts';
import { listStorefrontClients } from '../../../db/manage-storefront-clients.ts';
import type { ApiContext } from '../../context.ts';
import { environmentFilter } from '../../environment-filter.ts';
import { accessOf } from '../../exchange.ts';
import { sendList } from '../../list-route.ts';
import type { MerchantGate } from '../../merchant-gate.ts';
import type { Route } from '../../route.ts';
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
  description: 'The full set, newest first, the disabled ones too.',
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
