/** API keys: `Authorization: Bearer <API_KEY>` determines merchant and environment. */
import type { Request, RequestHandler, Response } from 'express';
import { environmentOfApiKey, hashApiKey } from '../../../contract/merchant/api-key.ts';
import { type ApiKeyHolder, findApiKeyHolder } from '../../../db/merchant/api-key-holder.ts';
import { API_KEY_SCOPES, type ApiKeyScope } from '../../../domain/core/api-key-scope.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { readBearer } from '../bearer.ts';
import type { ApiContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { exchangeOf } from '../exchange.ts';
import { noteKeyUse } from './key-use.ts';
import { refuseOtherMerchant } from './own-merchant.ts';

/**
 * Authenticates requests to the routes of a merchant's server.
 * @param catalogue true if keys with the scope `catalogue` may call the route
 * @throws the errors of `identify`; ApiError 403 `api_key_scope_insufficient`
 */
export function authenticate(context: ApiContext, catalogue = false): RequestHandler {
  return async (request, response, next) => {
    const { scope } = await identify(context, request, response);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const sufficing = API_KEY_SCOPES.filter((each) =>
      each === 'catalogue' ? catalogue : each === 'all' || isRead,
    );
    if (!sufficing.includes(scope)) throw insufficientScope(scope, sufficing);
    next();
  };
}

/** Creates a 403 that names the key's scope and the scopes that would suffice. */
export function insufficientScope(has: ApiKeyScope, sufficing: readonly ApiKeyScope[]): ApiError {
  return new ApiError('api_key_scope_insufficient', {
    message: `The API key's scope, ${has}, does not permit this: use a key with the scope ${sufficing.join(' or ')}.`,
  });
}

/** Identifies the key for a handler that checks the key's scope itself. */
export function identifyKey(context: ApiContext): RequestHandler {
  return async (request, response, next) => {
    await identify(context, request, response);
    next();
  };
}

/**
 * Stores the key, its merchant and environment in the exchange.
 *
 * @throws ApiError 401 (missing or invalid key), 403 (inactive merchant; another merchant in the path
 * or in the query)
 */
async function identify(context: ApiContext, request: Request, response: Response): Promise<ApiKeyHolder> {
  const { pool, config } = context;
  const key = bearerToken(request);
  const environment = environmentOfApiKey(key);
  const holder = environment && (await findApiKeyHolder(pool, hashApiKey(key, config.secrets.apiKeyPepper)));
  if (!holder || holder.environment !== environment) throw keyInvalid();
  if (holder.merchant_status !== 'active') throw new ApiError('merchant_inactive');
  const scope = scopeOfHolder(holder);
  refuseOtherMerchantInPath(request, scope);
  refuseOtherMerchant(request.query.merchantId, scope.merchantId);
  const exchange = exchangeOf(response);
  exchange.scope = scope;
  exchange.apiKey = holder;
  noteKeyUse(context, holder.api_key_id);
  return holder;
}

/** @throws ApiError 401 if the header is missing or not `Bearer` */
export function bearerToken(request: Request): string {
  const { authorization } = request.headers;
  if (!authorization) {
    throw new ApiError('service_api_key_required', { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  const token = readBearer(authorization);
  if (!token) throw keyInvalid();
  return token;
}

function keyInvalid(): ApiError {
  return new ApiError('api_key_invalid', { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } });
}

function scopeOfHolder({ merchant_id: merchantId, environment }: ApiKeyHolder): Scope {
  return { merchantId, environment };
}

function refuseOtherMerchantInPath({ params }: Request, { merchantId }: Scope): void {
  const { merchantId: named } = params;
  if (named !== undefined && named !== merchantId) throw new ApiError('service_merchant_forbidden');
}
