/** Shared by the routes of one endpoint. */
import type { Request, Response } from 'express';
import type { WebhookEndpoint } from '../../../contract/webhook/webhook-endpoints.ts';
import { findWebhookEndpoint, sealedSecretOf } from '../../../db/webhook/webhook-endpoints.ts';
import { webhookSecretOf } from '../../../platform/secrets/places.ts';
import { wakeEndpoint } from '../../../platform/temporal/wake-endpoints.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';

/** @throws ApiError 404 for another merchant's endpoint or, with a key, one of the other environment */
export async function endpointOfRequest(
  { pool }: ApiContext,
  request: Request,
  response: Response,
): Promise<WebhookEndpoint> {
  const { merchantId, environment } = accessOf(response);
  const endpoint = await findWebhookEndpoint(pool, merchantId, pathId(request, 'endpointId'));
  if (!endpoint || (environment !== null && endpoint.environment !== environment)) {
    throw new ApiError('webhook_endpoint_not_found');
  }
  return endpoint;
}

/** Converts an endpoint to the reference that the database functions expect. */
export function refOf({ id, merchant_id: merchantId, environment }: WebhookEndpoint) {
  return { endpointId: id, merchantId, environment };
}

/**
 * Signals the endpoint's workflow without retries, so that the request does not wait; if that fails, the sweep signals
 * it.
 */
export function wakeOnce({ temporal, logger }: ApiContext, endpoint: WebhookEndpoint): Promise<void> {
  return wakeEndpoint(temporal, refOf(endpoint), logger, 1);
}

/** Adds the endpoint's current secret, which a retry of its operation gets again. */
export async function withSecret({ pool, secretBox }: ApiContext, endpoint: WebhookEndpoint) {
  const sealed = await sealedSecretOf(pool, endpoint.id);
  return { ...endpoint, secret: secretBox.open(sealed, webhookSecretOf(endpoint.id)) };
}

/** @throws ApiError 404 if the endpoint was deleted during the request */
export function stillThere<Row>(row: Row | null): Row {
  if (row === null) throw new ApiError('webhook_endpoint_not_found');
  return row;
}
