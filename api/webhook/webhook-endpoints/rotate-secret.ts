/**
 * POST /v1/merchants/:merchantId/webhook-endpoints/:endpointId/rotate-secret: creates a secret that only this response
 * contains. From now on only the new secret signs; with `overlap: true` the previous one also signs for 24 hours, both
 * in one header. One overlap at a time: a third secret would end the first, which may be the receiver's only one.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { secretAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { secretRotation } from '../../../contract/webhook/webhook-endpoints.ts';
import { createWebhookSecret } from '../../../contract/webhook/webhook-signature.ts';
import { rotateWebhookSecret } from '../../../db/webhook/webhook-endpoints.ts';
import { webhookSecretOf } from '../../../platform/secrets/places.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { endpointOfRequest, stillThere } from './endpoint-of-request.ts';

export const rotateWebhookSecretRoute = merchantRoute((context) => ({
  method: 'post',
  path: '/v1/merchants/:merchantId/webhook-endpoints/:endpointId/rotate-secret',
  allow: ['manage_endpoints'],
  describe,
  find: (request, _caller, response) => endpointOfRequest(context, request, response),
  answer: async (request, { actor }, response) => {
    const { overlap = false } = parseFields(secretRotation, request.body, 'webhook_endpoint');
    const { id, merchant_id: merchantId } = await endpointOfRequest(context, request, response);
    const secret = createWebhookSecret();
    const rotation = { sealedSecret: context.secretBox.seal(secret, webhookSecretOf(id)), overlap };
    const endpoint = await rotateWebhookSecret(context.pool, merchantId, id, rotation, actor);
    return typeof endpoint === 'string' ? endpoint : { ...stillThere(endpoint), secret };
  },
}));

const describe: OperationDescription = {
  operationId: 'rotateWebhookEndpointSecret',
  tag: 'Webhook endpoints',
  summary: 'Rotate the secret of an endpoint',
  description:
    'The new secret signs immediately. With `overlap` the previous one also signs for 24 hours, both in one header, so that a ' +
    'receiver can switch without losing an event. During an overlap another one is refused: it would invalidate the ' +
    'first secret, possibly the only one that your receiver has. Without `overlap` the new secret replaces all ' +
    'others.',
  body: { schema: secretRotation, example: { overlap: true }, required: false },
  answers: { 200: { description: 'The endpoint, with its new secret.', ...secretAnswer } },
  errors: ['webhook_endpoint_not_found', 'webhook_secret_overlap_running'],
};
