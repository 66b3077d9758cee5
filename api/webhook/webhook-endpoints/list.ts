/**
 * GET /v1/merchants/:merchantId/webhook-endpoints: the merchant's endpoints, newest first; `environment` filters a
 * person's list.
 */
import type { RequestHandler } from 'express';
import { exampleList } from '../../../contract/core/examples.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  endpointListAnswer,
  exampleEndpoint,
  merchantPath,
} from '../../../contract/webhook/webhook-answers.ts';
import { environmentQuery } from '../../../contract/webhook/webhook-endpoints.ts';
import { listWebhookEndpoints } from '../../../db/webhook/webhook-endpoints.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, exchangeOf } from '../../http/exchange.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import type { Route } from '../../http/route.ts';
import { ENDPOINTS } from './endpoint-of-request.ts';

export function listWebhookEndpointsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { merchantId } = accessOf(response);
    const data = await listWebhookEndpoints(pool, merchantId, environmentFilter(request, response));
    response.json({ data, request_id: exchangeOf(response).requestId });
  };
  return { method: 'get', path: ENDPOINTS, handlers: [...gate.read, list], describe };
}

const describe: OperationDescription = {
  operationId: 'listWebhookEndpoints',
  tag: 'Webhook endpoints',
  summary: 'List webhook endpoints',
  description: 'Newest first. A key sees those of its environment; a person may filter by `environment`.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  query: environmentQuery,
  answers: {
    200: { description: 'The endpoints.', schema: endpointListAnswer, example: exampleList(exampleEndpoint) },
  },
  errors: ['invalid_request'],
};
