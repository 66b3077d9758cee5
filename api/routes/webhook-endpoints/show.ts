/** GET …/webhook-endpoints/:endpointId */
import type { RequestHandler } from 'express';
import type { ApiContext } from '../../context.ts';
import type { MerchantGate } from '../../merchant-gate.ts';
import type { Route } from '../../route.ts';
import { ENDPOINT, endpointOfRequest, sendEndpoint } from './endpoint-of-request.ts';

export function showWebhookEndpointRoute(context: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    sendEndpoint(response, 200, await endpointOfRequest(context, request, response));
  };
  return { method: 'get', path: ENDPOINT, handlers: [...gate.read, show] };
}
