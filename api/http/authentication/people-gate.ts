/**
 * The gate of an installation with an identity provider: identifies people by their tokens, and API keys as
 * elsewhere.
 */
import type { Request, RequestHandler } from 'express';
import { findMerchantStatus } from '../../../db/merchant/merchants.ts';
import { type Permission, permissionsOf, type Role } from '../../../domain/core/permissions.ts';
import type { ApiContext } from '../context.ts';
import { ApiError, serviceUnavailable } from '../errors.ts';
import { exchangeOf, personOf } from '../exchange.ts';
import type { Person } from '../person.ts';
import { type PeopleOptions, tokenReader } from './access-token.ts';
import { bearerToken } from './api-key.ts';
import { ProviderUnavailable } from './identity-provider.ts';
import { keysOnlyGate, type MerchantGate } from './merchant-gate.ts';
import { refuseOtherMerchant } from './own-merchant.ts';

const MERCHANT_ID = /^ap_mer_[0-9a-z]{1,64}$/;

export function peopleGate(options: PeopleOptions): (context: ApiContext) => MerchantGate {
  const readToken = tokenReader(options);
  return (context) => {
    const keys = keysOnlyGate(context);
    const identify = only(isPerson, identifyPerson(readToken, context));
    const people = (...needed: readonly Permission[]) => [identify, only(isPerson, enter(context, needed))];
    const forKeys = (handlers: readonly RequestHandler[]) =>
      handlers.map((handler) => only((request) => !isPerson(request), handler));
    const allow = (...needed: readonly Permission[]) => [
      ...forKeys(keys.allow(...needed)),
      ...people(...needed),
    ];
    return {
      people: [...forKeys(keys.people), identify],
      allow,
    };
  };
}

/** Returns true for any bearer token that does not look like an API key. */
function isPerson(request: Request): boolean {
  const { authorization } = request.headers;
  return authorization !== undefined && !bearerToken(request).startsWith('ap_');
}

function only(applies: (request: Request) => boolean, handler: RequestHandler): RequestHandler {
  return (request, response, next) => (applies(request) ? handler(request, response, next) : next());
}

/** @throws ApiError 401 and 403 of `tokenReader`; 503 if the provider is unreachable */
function identifyPerson(
  readToken: (token: string) => Promise<Person>,
  { logger }: ApiContext,
): RequestHandler {
  return async (request, response, next) => {
    try {
      exchangeOf(response).person = await readToken(bearerToken(request));
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error;
      logger.error({ err: error }, 'identity provider unreachable');
      throw serviceUnavailable();
    }
    next();
  };
}

/**
 * Admits callers with one of the permissions at the merchant of the path.
 *
 * @throws ApiError 403 for another merchant, an inactive one or an insufficient role; 404 for an unknown
 * merchant
 */
function enter({ pool }: ApiContext, needed: readonly Permission[]): RequestHandler {
  return async (request, response, next) => {
    const merchantId = String(request.params.merchantId);
    const person = personOf(response);
    const roles = rolesAt(person, merchantId);
    if (roles.length === 0) throw new ApiError('service_merchant_forbidden');
    refuseOtherMerchant(request.query.merchantId, merchantId);
    const status = MERCHANT_ID.test(merchantId) ? await findMerchantStatus(pool, merchantId) : null;
    if (status === null) throw new ApiError('merchant_not_found');
    const permissions = permissionsOf(roles, status);
    if (!needed.some((permission) => permissions.has(permission))) {
      const whileActive = permissionsOf(roles, 'active');
      const inactive = needed.some((permission) => whileActive.has(permission));
      throw new ApiError(inactive ? 'merchant_inactive' : 'administration_forbidden');
    }
    exchangeOf(response).access = { merchantId, environment: null, actor: person.actor, permissions };
    next();
  };
}

/** Returns the person's roles at a merchant: `platform` applies everywhere, other roles at the person's merchants. */
function rolesAt({ roles, merchants }: Person, merchantId: string): readonly Role[] {
  return roles.filter((role) => role === 'platform' || merchants.includes(merchantId));
}
