/** GET /v1/merchants/:merchantId/webhook-events/:eventId: the event's body and the state of its deliveries. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { eventAnswer, eventPath, exampleEventAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { findEventBody, listLoggedEvents } from '../../../db/webhook/delivery-log.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, exchangeOf } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import { EVENT, eventIdOfRequest } from './event-of-request.ts';

export function showWebhookEventRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const { merchantId, environment } = accessOf(response);
    const eventId = eventIdOfRequest(request);
    const body = await findEventBody(pool, merchantId, environment, eventId);
    const [event] = (await listLoggedEvents(pool, { merchantId, environment, eventId, limit: 1 }, null)).rows;
    if (body === null || !event) throw new ApiError('webhook_event_not_found');
    response.json({ ...event, body, request_id: exchangeOf(response).requestId });
  };
  return { method: 'get', path: EVENT, handlers: [...gate.read, show], describe };
}

const describe: OperationDescription = {
  operationId: 'showWebhookEvent',
  tag: 'Webhook log',
  summary: 'One event',
  description: 'The state of its deliveries, and the body that they send.',
  security: 'apiKeyOrPerson',
  path: eventPath,
  answers: { 200: { description: 'The event.', schema: eventAnswer, example: exampleEventAnswer } },
  errors: ['webhook_event_not_found'],
};
