/**
 * POST /v1/merchants/:merchantId/webhook-endpoints/:endpointId/rotate-secret: creates a secret that only this response
 * contains, and its repetition with the same `Idempotency-Key`. From now on only the new secret signs; with `overlap:
 * true` the previous one also signs for 24 hours, both in one header. Only one overlap at a time, because a third
 * secret would end the first, which may be the only one that the receiver has.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { secretAnswer } from '../../../contract/webhook/webhook-answers.ts';
import { secretRotation } from '../../../contract/webhook/webhook-endpoints.ts';
import { createWebhookSecret } from '../../../contract/webhook/webhook-signature.ts';
import { rotateWebhookSecret } from '../../../db/webhook/webhook-endpoints.ts';
import { webhookSecretOf } from '../../../platform/secrets/places.ts';
import type { MerchantGate } from '../../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { granted } from '../../http/resource.ts';
import type { Route } from '../../http/route.ts';
import { personRoute } from '../../http/routes/keyed-route.ts';
import { endpointOfRequest, stillThere, withSecret } from './endpoint-of-request.ts';

export function rotateWebhookSecretRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool, secretBox } = context;
  return personRoute(context, gate, ['manage_endpoints'], {
    path: '/v1/merchants/:merchantId/webhook-endpoints/:endpointId/rotate-secret',
    describe,
    find: (...of) => endpointOfRequest(context, ...of),
    sealed: true,
    isRestorable: false,
    operation: async (request, response, operationId) => {
      const { overlap = false } = parseFields(secretRotation, request.body, 'webhook_endpoint');
      const { id, merchant_id: merchantId } = await endpointOfRequest(context, request, response);
      const sealedSecret = secretBox.seal(createWebhookSecret(), webhookSecretOf(id));
      const rotation = { sealedSecret, overlap, operationId };
      const rotated = await rotateWebhookSecret(pool, merchantId, id, rotation, actorOf(response));
      return { status: 200, body: await withSecret(context, stillThere(rotated && granted(rotated))) };
    },
  });
}

const describe: OperationDescription = {
  operationId: 'rotateWebhookEndpointSecret',
  tag: 'Webhook endpoints',
  summary: 'Rotate the secret of an endpoint',
  description:
    'The new secret signs immediately. With `overlap` the previous one also signs for 24 hours, both in one header, so that a ' +
    'receiver can switch without losing an event. During an overlap, a rotation with `overlap` is rejected: it would invalidate the ' +
    'first secret, possibly the only one that your receiver has. Without `overlap` the new secret replaces all ' +
    'others. A repetition under the same `Idempotency-Key` gets the same secret.',
  idempotencyKey: 'optional',
  body: { schema: secretRotation, example: { overlap: true }, required: false },
  answers: { 200: { description: 'The endpoint, with its new secret.', ...secretAnswer } },
  errors: ['webhook_endpoint_not_found', 'webhook_secret_overlap_running'],
};
