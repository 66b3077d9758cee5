/** GET /v1/merchants/:merchantId/webhook-events/:eventId: the event's body and the state of its deliveries. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { eventAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { findEventBody, listLoggedEvents } from '../../../db/webhook/search-deliveries.ts';
import { ApiError } from '../../http/errors.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const showWebhookEventRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/webhook-events/:eventId',
  allow: ['read'],
  describe,
  answer: async (request, { merchantId, environment }) => {
    const eventId = pathId(request, 'eventId');
    const body = await findEventBody(pool, merchantId, environment, eventId);
    const [logged] = await listLoggedEvents(pool, { merchantId, environment, eventId, limit: 1 }, null);
    if (body === null || !logged) throw new ApiError('webhook_event_not_found');
    const { position, ...event } = logged;
    return { ...event, body };
  },
}));

const describe: OperationDescription = {
  operationId: 'showWebhookEvent',
  tag: 'Webhook log',
  summary: 'One event',
  description: 'The state of its deliveries, and the body that they send.',
  answers: { 200: { description: 'The event.', ...eventAnswer } },
  errors: ['webhook_event_not_found'],
};
