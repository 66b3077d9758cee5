/**
 * PATCH …/webhook-endpoints/:endpointId: URL, filter, headers, and `status`: `paused` holds events, `enabled`
 * sends them again, after a pause or after the endpoint was disabled. What is absent stays as it is.
 */
import type { RequestHandler } from 'express';
import { webhookEndpointChanges } from '../../../contract/webhook-endpoints.ts';
import { enableEndpoint, pauseEndpoint } from '../../../db/endpoint-status.ts';
import { updateWebhookEndpoint } from '../../../db/webhook-endpoints.ts';
import type { ApiContext } from '../../context.ts';
import { ApiError } from '../../errors.ts';
import { actorOf } from '../../exchange.ts';
import { readJsonBody } from '../../json-body.ts';
import type { MerchantGate } from '../../merchant-gate.ts';
import { parseFields } from '../../parse-fields.ts';
import type { Route } from '../../route.ts';
import { wakeEndpoint } from '../../wake-endpoint.ts';
import { ENDPOINT, endpointOfRequest, refOf, sendEndpoint, stillThere } from './endpoint-of-request.ts';
import { endpointUrl } from './endpoint-url.ts';

export function updateWebhookEndpointRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool } = context;

  const update: RequestHandler = async (request, response) => {
    const before = await endpointOfRequest(context, request, response);
    const { endpointId, merchantId } = refOf(before);
    const fields = parseFields(webhookEndpointChanges, request.body, 'webhook_endpoint');
    const url = fields.url === undefined ? undefined : endpointUrl(fields.url, context);
    const actor = actorOf(response);
    if (fields.status && fields.status !== before.status) {
      const change = fields.status === 'paused' ? pauseEndpoint : enableEndpoint;
      const { status } = await change(pool, refOf(before), actor);
      if (status !== fields.status) throw new ApiError('webhook_endpoint_not_enabled');
    }
    const changes = { url, eventTypes: fields.event_types, standardHeaders: fields.standard_headers };
    const changed = Object.values(changes).some((value) => value !== undefined);
    const after = changed
      ? stillThere(await updateWebhookEndpoint(pool, merchantId, endpointId, changes, actor))
      : await endpointOfRequest(context, request, response);
    if (fields.status === 'enabled') await wakeEndpoint(context, after);
    sendEndpoint(response, 200, after);
  };

  return { method: 'patch', path: ENDPOINT, handlers: [...gate.administer, readJsonBody, update] };
}
