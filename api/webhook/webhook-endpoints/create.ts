/**
 * POST /v1/merchants/:merchantId/webhook-endpoints: a new endpoint. Only this response, and its repetition under the
 * same `Idempotency-Key`, contains its secret.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleEndpoint, secretAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { newWebhookEndpoint } from '../../../contract/webhook/webhook-endpoints.ts';
import { createWebhookSecret } from '../../../contract/webhook/webhook-signature.ts';
import {
  createWebhookEndpoint,
  findWebhookEndpoint,
  newWebhookEndpointId,
} from '../../../db/webhook/webhook-endpoints.ts';
import { webhookSecretOf } from '../../../platform/secrets/places.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { createRoute } from '../../http/routes/keyed-route.ts';
import { withSecret } from './endpoint-of-request.ts';
import { endpointUrl } from './endpoint-url.ts';

export const createWebhookEndpointRoute = createRoute((context) => ({
  path: '/v1/merchants/:merchantId/webhook-endpoints',
  allow: ['manage_endpoints'],
  describe,
  sealed: true,
  idPrefix: 'ap_whe_',
  find: async (pool, merchantId, id) => {
    const endpoint = await findWebhookEndpoint(pool, merchantId, id);
    return endpoint && withSecret(context, endpoint);
  },
  create: async (request, { merchantId, actor }, given) => {
    const fields = parseFields(newWebhookEndpoint, request.body, 'webhook_endpoint');
    const secret = createWebhookSecret();
    const id = given ?? (await newWebhookEndpointId(context.pool));
    const endpoint = await createWebhookEndpoint(
      context.pool,
      { merchantId, environment: fields.environment },
      {
        id,
        url: endpointUrl(fields.url, context),
        eventTypes: fields.event_types ?? null,
        standardHeaders: fields.standard_headers ?? false,
        sealedSecret: context.secretBox.seal(secret, webhookSecretOf(id)),
      },
      actor,
    );
    return typeof endpoint === 'string' ? endpoint : { ...endpoint, secret };
  },
}));

const describe: OperationDescription = {
  operationId: 'createWebhookEndpoint',
  tag: 'Webhook endpoints',
  summary: 'Create a webhook endpoint',
  description:
    'At most ten in each environment. Without `event_types`, it receives every type. Only this response, and its ' +
    'repetition under the same `Idempotency-Key`, contains the secret.',
  idempotencyKey: 'optional',
  body: {
    schema: newWebhookEndpoint,
    example: {
      environment: 'sandbox',
      url: exampleEndpoint.url,
      event_types: exampleEndpoint.event_types,
    },
    required: true,
  },
  answers: {
    201: {
      description: 'The endpoint, with its secret.',
      ...secretAnswer,
      links: ['showWebhookEndpoint', 'updateWebhookEndpoint', 'deleteWebhookEndpoint'].map((operationId) => ({
        operationId,
        parameters: { merchantId: '$response.body#/merchant_id', endpointId: '$response.body#/id' },
      })),
    },
  },
  errors: ['webhook_endpoint_limit_reached', 'webhook_endpoint_not_found'],
};
