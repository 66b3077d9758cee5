/**
 * POST /v1/merchants/:merchantId/webhook-events/:eventId/resend: resends one event, to one endpoint or to all its
 * original ones. The id and body stay the same, so that a receiver can ignore a duplicate.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  exampleEndpoint,
  exampleLoggedEvent,
  resendAnswer,
} from '../../../contract/webhook/webhook-answers.ts';
import { resendRequest } from '../../../contract/webhook/webhook-endpoints.ts';
import { redeliver } from '../../../db/webhook/redeliver.ts';
import { listEndpointsOfEvent } from '../../../db/webhook/webhook-endpoints.ts';
import { ApiError } from '../../http/errors.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { refOf, wakeOnce } from '../webhook-endpoints/endpoint-of-request.ts';

export const resendWebhookEventRoute = merchantRoute((context) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/webhook-events/:eventId/resend',
  allow: ['resend_events'],
  describe,
  answer: async (request, { merchantId, actor }) => {
    const eventId = pathId(request, 'eventId');
    const { endpoint_id: only } = parseFields(resendRequest, request.body, 'webhook_event');
    const endpoints = (await listEndpointsOfEvent(context.pool, merchantId, eventId)).filter(
      ({ id }) => only === undefined || id === only,
    );
    if (endpoints.length === 0) throw new ApiError('webhook_event_not_found');
    for (const endpoint of endpoints) {
      await redeliver(context.pool, refOf(endpoint), eventId, actor);
      await wakeOnce(context, endpoint);
    }
    return {
      event_id: eventId,
      endpoint_ids: endpoints.map(({ id }) => id),
    };
  },
}));

const describe: OperationDescription = {
  operationId: 'resendWebhookEvent',
  tag: 'Webhook log',
  summary: 'Resend an event',
  description:
    'To one endpoint, or to all its original ones. Same id and body: a receiver that has seen it ignores it.',
  body: { schema: resendRequest, example: { endpoint_id: exampleEndpoint.id }, required: false },
  answers: {
    202: {
      description: 'The event is queued.',
      schema: resendAnswer,
      example: {
        event_id: exampleLoggedEvent.id,
        endpoint_ids: [exampleEndpoint.id],
      },
    },
  },
  errors: ['webhook_event_not_found'],
};
