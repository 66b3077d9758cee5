/**
 * GET /v1/merchants/:merchantId/webhook-endpoints: the merchant's endpoints, newest first; `environment` filters a
 * person's list.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { bothEnvironments } from '../../../contract/core/pagination.ts';
import { endpointListAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { listWebhookEndpoints } from '../../../db/webhook/webhook-endpoints.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listWebhookEndpointsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/webhook-endpoints',
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
  query: bothEnvironments,
  answers: { 200: { description: 'The endpoints.', ...endpointListAnswer } },
};
