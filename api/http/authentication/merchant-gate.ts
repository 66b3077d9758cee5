/**
 * Authorization under `/v1/merchants`: the merchant's own API key may do what its scope allows, people what
 * `domain/core/permissions.ts` allows. The handlers store the caller in the exchange, or throw.
 */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Callers } from '../../../contract/core/operation.ts';
import { PERMISSIONS_OF_SCOPE, scopesWith } from '../../../domain/core/api-key-scope.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import type { ApiContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { exchangeOf, scopeOf } from '../exchange.ts';
import { identifyKey, insufficientScope } from './api-key.ts';

/** Each gate except `people` stores a `MerchantAccess` for the path's merchant in the exchange. */
export interface MerchantGate {
  /** Admits people with at least one of these permissions at the merchant; everyone who belongs to it has `read`. */
  allow(...permissions: readonly Permission[]): readonly RequestHandler[];
  /** Admits any person, on routes whose path names no merchant; sets the exchange's `Person`. */
  readonly people: readonly RequestHandler[];
}

/** Who may call a route that the gate opens to these permissions. */
export function callersWith(needed: readonly Permission[]): Callers {
  const scopes = scopesWith(needed);
  const security = scopes.length > 0 ? 'apiKeyOrPerson' : 'person';
  return { security, ...(scopes.includes('catalogue') && { catalogue: true }) };
}

/**
 * Creates the gate of an installation without an identity provider: keys can read, and administration over HTTP is
 * off.
 */
export function keysOnlyGate(context: ApiContext): MerchantGate {
  const key = identifyKey(context);
  return { allow: (...needed) => [key, enterWithKey(needed)], people: [key, refuseKey] };
}

/**
 * Admits a key to its own merchant's path: `identifyKey` has already rejected any other merchant.
 *
 * @throws ApiError 403 if the key's scope is insufficient, or no key may perform the action
 */
function enterWithKey(needed: readonly Permission[]): RequestHandler {
  return (_request, response, next) => {
    const exchange = exchangeOf(response);
    const { merchantId, environment } = scopeOf(response);
    if (!exchange.apiKey) throw new Error('the route has no authentication');
    const { scope } = exchange.apiKey;
    const permissions = new Set(PERMISSIONS_OF_SCOPE[scope]);
    const sufficing = scopesWith(needed);
    if (sufficing.length === 0) throw new ApiError('administration_forbidden');
    if (!sufficing.includes(scope)) throw insufficientScope(scope, sufficing);
    const actor = `api_key:${exchange.apiKey.api_key_id}`;
    exchange.access = { merchantId, environment, actor, permissions };
    next();
  };
}

/**
 * Guards paths and methods without a route: rejects requests for another merchant's path, and passes all others on to
 * the 404 or 405.
 * @throws ApiError 403 `service_merchant_forbidden`
 */
export function refuseStrangers(gate: MerchantGate): RequestHandler {
  const passOn: ErrorRequestHandler = (error, _request, _response, next) => {
    next(error instanceof ApiError && error.code === 'service_merchant_forbidden' ? error : undefined);
  };
  return express.Router({ mergeParams: true }).use(...gate.allow('read'), passOn);
}

const refuseKey: RequestHandler = () => {
  throw new ApiError('administration_forbidden');
};
