/**
 * POST …/webhook-endpoints/:endpointId/rotate-secret: a new secret, shown this once. It signs at once and alone;
 * with `overlap: true` the one before signs too for 24 hours, both in one header.
 */
import type { RequestHandler } from 'express';
import { secretRotation } from '../../../contract/webhook-endpoints.ts';
import { createWebhookSecret } from '../../../contract/webhook-signature.ts';
import { rotateWebhookSecret } from '../../../db/webhook-endpoints.ts';
import type { ApiContext } from '../../context.ts';
import { actorOf } from '../../exchange.ts';
import { readJsonBody } from '../../json-body.ts';
import type { MerchantGate } from '../../merchant-gate.ts';
import { parseFields } from '../../parse-fields.ts';
import type { Route } from '../../route.ts';
import { ENDPOINT, endpointOfRequest, sendEndpoint, stillThere } from './endpoint-of-request.ts';

export function rotateWebhookSecretRoute(context: ApiContext, gate: MerchantGate): Route {
  const rotate: RequestHandler = async (request, response) => {
    const { id, merchant_id: merchantId } = await endpointOfRequest(context, request, response);
    const { overlap = false } = parseFields(secretRotation, request.body, 'webhook_endpoint');
    const secret = createWebhookSecret();
    const rotation = { sealedSecret: context.secretBox.seal(secret), overlap };
    const endpoint = await rotateWebhookSecret(context.pool, merchantId, id, rotation, actorOf(response));
    sendEndpoint(response, 200, stillThere(endpoint), { secret });
  };
  return {
    method: 'post',
    path: `${ENDPOINT}/rotate-secret`,
    handlers: [...gate.administer, readJsonBody, rotate],
  };
}
