/** GET /v1/merchants/:merchantId/webhook-endpoints/:endpointId */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { endpointAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { endpointOfRequest } from './endpoint-of-request.ts';

export const showWebhookEndpointRoute = merchantRoute((context) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/webhook-endpoints/:endpointId',
  allow: ['read'],
  describe,
  answer: (request, _caller, response) => endpointOfRequest(context, request, response),
}));

const describe: OperationDescription = {
  operationId: 'showWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Get a webhook endpoint',
  description: 'The endpoint, without its secret.',
  answers: { 200: { description: 'The endpoint.', ...endpointAnswer } },
  errors: ['webhook_endpoint_not_found'],
};
