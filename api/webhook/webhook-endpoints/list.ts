import type { OperationDescription } from '../../../contract/core/operation.ts';
import { endpointListAnswer, exampleEndpoint } from '../../../contract/webhook/webhook-answers.ts';
import { environmentQuery } from '../../../contract/webhook/webhook-endpoints.ts';
import { listWebhookEndpoints } from '../../../db/webhook/webhook-endpoints.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { ENDPOINTS } from './endpoint-of-request.ts';

export const listWebhookEndpointsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: ENDPOINTS,
  allow: ['read'],
  describe,
  answer: async (request, { merchantId }, response) => {
    const data = await listWebhookEndpoints(pool, merchantId, environmentFilter(request, response));
    return { data };
  },
}));

const describe: OperationDescription = {
  operationId: 'listWebhookEndpoints',
  tag: 'Webhook endpoints',
  summary: 'List webhook endpoints',
  description: 'Newest first. A key sees those of its environment; a person may filter by `environment`.',
  query: environmentQuery,
  answers: {
    200: { description: 'The endpoints.', schema: endpointListAnswer, example: { data: [exampleEndpoint] } },
  },
};
