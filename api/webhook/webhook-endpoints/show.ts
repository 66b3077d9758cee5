/** GET /v1/merchants/:merchantId/webhook-endpoints/:endpointId */
import type { RequestHandler } from 'express';
import { exampleSingle } from '../../../contract/core/examples.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { endpointAnswer, endpointPath, exampleEndpoint } from '../../../contract/webhook/webhook-answers.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { ENDPOINT, endpointOfRequest, sendEndpoint } from './endpoint-of-request.ts';

export function showWebhookEndpointRoute(context: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    sendEndpoint(response, 200, await endpointOfRequest(context, request, response));
  };
  return { method: 'get', path: ENDPOINT, handlers: [...gate.read, show], describe };
}

const describe: OperationDescription = {
  operationId: 'showWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Get a webhook endpoint',
  description: 'Without its secret.',
  security: 'apiKeyOrPerson',
  path: endpointPath,
  answers: {
    200: { description: 'The endpoint.', schema: endpointAnswer, example: exampleSingle(exampleEndpoint) },
  },
  errors: ['webhook_endpoint_not_found'],
};
