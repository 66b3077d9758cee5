/** DELETE /v1/merchants/:merchantId/webhook-endpoints/:endpointId: stops delivery; the log is kept for its 90 days. */
import type { RequestHandler } from 'express';
import { EXAMPLE_REQUEST_ID } from '../../../contract/core/answers.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { deletedAnswer, endpointPath, exampleEndpoint } from '../../../contract/webhook/webhook-answers.ts';
import { deleteEndpoint } from '../../../db/webhook/endpoint-status.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { actorOf, exchangeOf } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import { ENDPOINT, endpointOfRequest, refOf, wakeOnce } from './endpoint-of-request.ts';

export function deleteWebhookEndpointRoute(context: ApiContext, gate: MerchantGate): Route {
  const remove: RequestHandler = async (request, response) => {
    const endpoint = await endpointOfRequest(context, request, response);
    await deleteEndpoint(context.pool, refOf(endpoint), actorOf(response));
    // The endpoint's workflow sees the deletion and ends.
    await wakeOnce(context, endpoint);
    response.json({ id: endpoint.id, deleted: true, request_id: exchangeOf(response).requestId });
  };
  return {
    method: 'delete',
    path: ENDPOINT,
    handlers: [...gate.allow('manage_endpoints'), remove],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'deleteWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Delete a webhook endpoint',
  description: 'Stops delivery to it. Its log is kept for its 90 days.',
  security: 'person',
  path: endpointPath,
  answers: {
    200: {
      description: 'Deleted.',
      schema: deletedAnswer,
      example: { id: exampleEndpoint.id, deleted: true, request_id: EXAMPLE_REQUEST_ID },
    },
  },
  errors: ['webhook_endpoint_not_found'],
};
