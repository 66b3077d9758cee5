/**
 * POST /v1/merchants/:merchantId/webhook-endpoints/:endpointId/test: sends a `webhook.test` event to this endpoint,
 * regardless of its filter.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleLoggedEvent, testEventAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { recordTestEvent } from '../../../db/webhook/test-event.ts';
import { ApiError } from '../../http/errors.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { endpointOfRequest, refOf, wakeOnce } from './endpoint-of-request.ts';

export const sendTestEventRoute = merchantRoute((context) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/webhook-endpoints/:endpointId/test',
  allow: ['manage_endpoints'],
  describe,
  answer: async (request, { actor }, response) => {
    const endpoint = await endpointOfRequest(context, request, response);
    const eventId = await recordTestEvent(context.pool, refOf(endpoint), actor);
    if (eventId === null) throw new ApiError('webhook_endpoint_not_enabled');
    await wakeOnce(context, endpoint);
    return { event_id: eventId };
  },
}));

const describe: OperationDescription = {
  operationId: 'sendTestEvent',
  tag: 'Webhook endpoints',
  summary: 'Send a test event',
  description: 'A `webhook.test` event, to this endpoint alone and regardless of its filter.',
  answers: {
    202: {
      description: 'The event is queued.',
      schema: testEventAnswer,
      example: { event_id: exampleLoggedEvent.id },
      links: [{ operationId: 'showWebhookEvent', parameters: { eventId: '$response.body#/event_id' } }],
    },
  },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_not_enabled'],
};
