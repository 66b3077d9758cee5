/** DELETE /v1/merchants/:merchantId/webhook-endpoints/:endpointId: stops delivery; the log is kept for its 90 days. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { deletedAnswer, exampleEndpoint } from '../../../contract/webhook/webhook-answers.ts';
import { deleteEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { endpointOfRequest, refOf, wakeOnce } from './endpoint-of-request.ts';

export const deleteWebhookEndpointRoute = merchantRoute((context) => ({
  method: 'delete',
  path: '/v1/merchants/:merchantId/webhook-endpoints/:endpointId',
  allow: ['manage_endpoints'],
  describe,
  answer: async (request, { actor }, response) => {
    const endpoint = await endpointOfRequest(context, request, response);
    await deleteEndpoint(context.pool, refOf(endpoint), actor);
    // The endpoint's workflow sees the deletion and ends.
    await wakeOnce(context, endpoint);
    return { id: endpoint.id, deleted: true };
  },
}));

const describe: OperationDescription = {
  operationId: 'deleteWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Delete a webhook endpoint',
  description: 'Stops delivery to it. Its log is kept for 90 days.',
  answers: {
    200: {
      description: 'Deleted.',
      schema: deletedAnswer,
      example: { id: exampleEndpoint.id, deleted: true },
    },
  },
  errors: ['webhook_endpoint_not_found'],
};
