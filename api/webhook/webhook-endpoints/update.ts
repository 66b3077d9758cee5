/**
 * PATCH /v1/merchants/:merchantId/webhook-endpoints/:endpointId: URL, filter, headers and `status`. `paused` holds
 * events back; `enabled` sends them after a pause or an automatic disablement. Absent fields stay unchanged.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { endpointAnswer, exampleEndpoint } from '../../../contract/webhook/webhook-answers.ts';
import { type WebhookEndpoint, webhookEndpointChanges } from '../../../contract/webhook/webhook-endpoints.ts';
import type { Actor } from '../../../db/core/audit.ts';
import type { Pool } from '../../../db/core/pool.ts';
import { enableEndpoint, pauseEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { updateWebhookEndpoint } from '../../../db/webhook/webhook-endpoints.ts';
import { ApiError } from '../../http/errors.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { endpointOfRequest, refOf, stillThere, wakeOnce } from './endpoint-of-request.ts';
import { endpointUrl } from './endpoint-url.ts';

export const updateWebhookEndpointRoute = merchantRoute((context) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId/webhook-endpoints/:endpointId',
  allow: ['manage_endpoints'],
  describe,
  find: (request, _caller, response) => endpointOfRequest(context, request, response),
  answer: async (request, { actor }, response) => {
    const { pool } = context;
    const fields = parseFields(webhookEndpointChanges, request.body, 'webhook_endpoint');
    const url = fields.url === undefined ? undefined : endpointUrl(fields.url, context);
    const before = await endpointOfRequest(context, request, response);
    const { endpointId, merchantId } = refOf(before);
    // Pause first and enable last, so that nothing is sent to the old URL in between.
    if (fields.status === 'paused') await setStatus(pool, before, 'paused', actor);
    const changes = { url, eventTypes: fields.event_types, standardHeaders: fields.standard_headers };
    if (Object.values(changes).some((value) => value !== undefined)) {
      stillThere(await updateWebhookEndpoint(pool, merchantId, endpointId, changes, actor));
    }
    if (fields.status === 'enabled') await setStatus(pool, before, 'enabled', actor);
    const after = await endpointOfRequest(context, request, response);
    if (fields.status === 'enabled') await wakeOnce(context, after);
    return after;
  },
}));

/** @throws ApiError 409 if the current status does not allow the change */
async function setStatus(
  pool: Pool,
  endpoint: WebhookEndpoint,
  wanted: 'paused' | 'enabled',
  actor: Actor,
): Promise<void> {
  if (endpoint.status === wanted) return;
  const change = wanted === 'paused' ? pauseEndpoint : enableEndpoint;
  const { status } = await change(pool, refOf(endpoint), actor);
  if (status !== wanted) throw new ApiError('webhook_endpoint_not_enabled');
}

const describe: OperationDescription = {
  operationId: 'updateWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Change, pause or enable a webhook endpoint',
  description:
    'Absent fields stay unchanged. `paused` holds events back, `enabled` sends them, even after the endpoint was ' +
    'disabled for failing.',
  body: { schema: webhookEndpointChanges, example: { status: 'paused' }, required: false },
  answers: {
    200: {
      description: 'The changed endpoint.',
      ...endpointAnswer,
      example: { ...exampleEndpoint, status: 'paused' },
    },
  },
  errors: ['webhook_endpoint_not_found', 'webhook_endpoint_not_enabled'],
};
