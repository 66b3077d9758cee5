/** Routes that a browser storefront calls without an API key: its sessions and its catalogue. */
import type { RequestHandler } from 'express';
import type { CheckoutSession } from '../../contract/session/checkout.ts';
import { type StorefrontConfig, storefrontSessionRequest } from '../../contract/session/checkout-clients.ts';
import {
  findStorefrontProduct,
  type StorefrontClient,
  storefrontProducts,
} from '../../db/merchant/storefront-clients.ts';
import { createStorefrontSession } from '../../db/session/storefront-sessions.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../http/idempotency.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { NO_DETAILS } from './buyer-details.ts';
import { creatingSession, preflightOf, showingConfig } from './checkout-client-descriptions.ts';
import { sessionOpener } from './open-session.ts';
import { failAsCheckout, unsoldByStorefront } from './refused-session.ts';
import { clientOf, preflight, storefrontGate } from './storefront-gate.ts';
import { limitStorefrontSessions } from './storefront-limits.ts';

const SESSIONS = '/v1/checkout-clients/:publicId/sessions';
const CONFIG = '/v1/checkout-clients/:publicId/config';

export function storefrontRoutes(context: ApiContext): readonly Route[] {
  const { pool } = context;
  const gate = storefrontGate(context);

  const keys = {
    pool,
    sealWith: context.secretBox,
    scopeOf: (response: Parameters<typeof clientOf>[0]) => `client:${clientOf(response).id}`,
  };
  return [
    {
      method: 'post',
      path: SESSIONS,
      handlers: [
        failAsCheckout,
        ...gate,
        ...limitStorefrontSessions(
          pool,
          (response) => clientOf(response).id,
          context.rateLimits?.storefrontSessions,
        ),
        takeIdempotencyKey({ required: true }),
        readJsonBody,
        idempotent(keys, createSession(context)),
      ],
      describe: creatingSession,
    },
    {
      method: 'options',
      path: SESSIONS,
      handlers: preflight(context, 'POST'),
      describe: preflightOf('createStorefrontSession'),
    },
    { method: 'get', path: CONFIG, handlers: [...gate, showConfig(context)], describe: showingConfig },
    {
      method: 'options',
      path: CONFIG,
      handlers: preflight(context, 'GET'),
      describe: preflightOf('showStorefrontConfig'),
    },
  ];
}

function createSession(context: ApiContext): Operation {
  const { pool, config } = context;
  const opener = sessionOpener(context, 'ap_chk_');
  return async (request, response, operationId) => {
    if (operationId === null) throw new Error('the route requires an idempotency key');
    const client = clientOf(response);
    const { productReference } = parseFields(storefrontSessionRequest, request.body, 'checkout');
    const productId = await findStorefrontProduct(pool, client, productReference);
    if (productId === null) throw unsoldByStorefront();
    const session = {
      ...newSession(client, productId),
      ...opener.common(),
      lifetimeSeconds: config.session.lifetimeSeconds,
    };
    const made = await createStorefrontSession(pool, operationId, client.id, session);
    if (typeof made === 'string')
      throw made === 'product_not_found' ? unsoldByStorefront() : new ApiError(made);
    const { id, page, pageToken: sessionId } = await opener.open(made, session.scope);
    const body: Omit<CheckoutSession, 'request_id'> = { id, sessionId, ...page };
    return { status: 201, body, flowId: id };
  };
}

function showConfig({ pool }: ApiContext): RequestHandler {
  return async (_request, response) => {
    const client = clientOf(response);
    const body: StorefrontConfig = {
      branding: client.branding,
      products: [...(await storefrontProducts(pool, client))],
      request_id: exchangeOf(response).requestId,
    };
    response.json(body);
  };
}

/** Describes a session for a new customer. Browsers name only a product; the server determines the price. */
function newSession(client: StorefrontClient, productId: string) {
  const { merchantId, environment, successUrl, failUrl } = client;
  return {
    scope: { merchantId, environment },
    source: 'checkout_client' as const,
    productId,
    externalCustomerId: null,
    buyer: NO_DETAILS,
    amount: null,
    quantity: null,
    preselectedMethod: null,
    locale: null,
    merchantReference: null,
    successUrl,
    failUrl,
  };
}
