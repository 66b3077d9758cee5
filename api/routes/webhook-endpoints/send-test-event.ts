/** POST …/webhook-endpoints/:endpointId/test: sends a `webhook.test` event to this endpoint, whatever its filter. */
import type { RequestHandler } from 'express';
import { recordTestEvent } from '../../../db/test-event.ts';
import type { ApiContext } from '../../context.ts';
import { ApiError } from '../../errors.ts';
import { actorOf, exchangeOf } from '../../exchange.ts';
import type { MerchantGate } from '../../merchant-gate.ts';
import type { Route } from '../../route.ts';
import { wakeEndpoint } from '../../wake-endpoint.ts';
import { ENDPOINT, endpointOfRequest, refOf } from './endpoint-of-request.ts';

export function sendTestEventRoute(context: ApiContext, gate: MerchantGate): Route {
  const sendTest: RequestHandler = async (request, response) => {
    const endpoint = await endpointOfRequest(context, request, response);
    const eventId = await recordTestEvent(context.pool, refOf(endpoint), actorOf(response));
    if (eventId === null) throw new ApiError('webhook_endpoint_not_enabled');
    await wakeEndpoint(context, endpoint);
    response.status(202).json({ event_id: eventId, request_id: exchangeOf(response).requestId });
  };
  return { method: 'post', path: `${ENDPOINT}/test`, handlers: [...gate.administer, sendTest] };
}
