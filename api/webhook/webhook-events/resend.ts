/**
 * POST /v1/merchants/:merchantId/webhook-events/:eventId/resend: resends one event, to one endpoint or to all its
 * original ones. The id and body stay the same, so that a receiver can ignore a duplicate.
 */
import type { RequestHandler } from 'express';
import { EXAMPLE_REQUEST_ID } from '../../../contract/core/answers.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  eventPath,
  exampleEndpoint,
  exampleLoggedEvent,
  resendAnswer,
} from '../../../contract/webhook/webhook-answers.ts';
import { resendRequest } from '../../../contract/webhook/webhook-endpoints.ts';
import { redeliver } from '../../../db/webhook/redeliver.ts';
import { listEndpointsOfEvent } from '../../../db/webhook/webhook-endpoints.ts';
import { administering } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf, actorOf, exchangeOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import type { Route } from '../../http/route.ts';
import { refOf, wakeOnce } from '../webhook-endpoints/endpoint-of-request.ts';
import { EVENT, eventIdOfRequest } from './event-of-request.ts';

export function resendWebhookEventRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool } = context;

  const resend: RequestHandler = async (request, response) => {
    const { merchantId } = accessOf(response);
    const eventId = eventIdOfRequest(request);
    const { endpoint_id: only } = parseFields(resendRequest, request.body, 'webhook_event');
    const endpoints = (await listEndpointsOfEvent(pool, merchantId, eventId)).filter(
      ({ id }) => only === undefined || id === only,
    );
    if (endpoints.length === 0) throw new ApiError('webhook_event_not_found');
    for (const endpoint of endpoints) {
      await redeliver(pool, refOf(endpoint), eventId, actorOf(response));
      await wakeOnce(context, endpoint);
    }
    response.status(202).json({
      event_id: eventId,
      endpoint_ids: endpoints.map(({ id }) => id),
      request_id: exchangeOf(response).requestId,
    });
  };

  return {
    method: 'post',
    path: `${EVENT}/resend`,
    handlers: [...administering(gate, 'resend_events'), resend],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'resendWebhookEvent',
  tag: 'Webhook log',
  summary: 'Resend an event',
  description:
    'To one endpoint, or to all its original ones. Same id and body: a receiver that has seen it ignores it.',
  security: 'person',
  path: eventPath,
  body: { schema: resendRequest, example: { endpoint_id: exampleEndpoint.id }, required: false },
  answers: {
    202: {
      description: 'The event is queued.',
      schema: resendAnswer,
      example: {
        event_id: exampleLoggedEvent.id,
        endpoint_ids: [exampleEndpoint.id],
        request_id: EXAMPLE_REQUEST_ID,
      },
    },
  },
  errors: ['invalid_request', 'webhook_event_not_found'],
};
