/**
 * Authorizes a browser by its storefront client: the `Origin` must be one that the client has registered. Only that
 * origin may read the response, and only without credentials. (A 429 is sent earlier, by `rate-limit.ts`.)
 */
import type { RequestHandler, Response } from 'express';
import { findStorefrontClient, type StorefrontClient } from '../../db/merchant/storefront-clients.ts';
import { KnownIds } from '../../page/http/known-ids.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { EXPOSED_HEADERS } from '../http/exchange.ts';
import { pathId } from '../http/request/path-id.ts';

const PREFLIGHT_SECONDS = '600';

/** Known sandbox clients; their later requests use the sandbox pool (rule 37). */
const sandboxClients = new KnownIds();

/** @param path of the request */
export function isOfSandboxClient(path: string): boolean {
  const [, publicId] = /^\/v1\/checkout-clients\/([^/]+)\//.exec(path) ?? [];
  return publicId !== undefined && sandboxClients.has(publicId);
}

export function clientOf(response: Response): StorefrontClient {
  const client = response.locals.storefrontClient as StorefrontClient | undefined;
  if (!client) throw new Error('the route has no storefront gate');
  return client;
}

/** @throws ApiError 404 (unknown client), 403 (missing or unregistered origin) */
function fromOwnOrigin({ pool }: ApiContext): RequestHandler {
  return async (request, response, next) => {
    response.vary('Origin');
    const publicId = pathId(request, 'publicId');
    const client = await findStorefrontClient(pool, publicId);
    if (!client) throw new ApiError('checkout_client_not_found');
    if (client.environment === 'sandbox') sandboxClients.add(client.id);
    const { origin } = request.headers;
    if (origin === undefined || !client.origins.includes(origin)) throw new ApiError('origin_not_allowed');
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS });
    response.locals.storefrontClient = client;
    next();
  };
}

/** @throws ApiError 400 (an API key was sent), 403 (inactive merchant) */
const asPublicClient: RequestHandler = (request, response, next) => {
  if (request.headers.authorization !== undefined) throw new ApiError('api_key_not_allowed');
  if (clientOf(response).merchantStatus !== 'active') throw new ApiError('merchant_inactive');
  next();
};

export function storefrontGate(context: ApiContext): readonly RequestHandler[] {
  return [fromOwnOrigin(context), asPublicClient];
}

/** Returns the handlers that answer a browser's CORS preflight. */
export function preflight(context: ApiContext, method: 'GET' | 'POST'): readonly RequestHandler[] {
  const permit: RequestHandler = (_request, response) => {
    response
      .set({
        'Access-Control-Allow-Methods': method,
        'Access-Control-Allow-Headers': 'Content-Type, Idempotency-Key, Service-Version',
        'Access-Control-Max-Age': PREFLIGHT_SECONDS,
      })
      .status(204)
      .end();
  };
  return [fromOwnOrigin(context), permit];
}
