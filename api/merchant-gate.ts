/**
 * Who may do what under `/v1/merchants/:merchantId`: the merchant's own API key reads its environment, people
 * administer. Each handler puts a `MerchantAccess` into the exchange or refuses.
 */
import type { RequestHandler } from 'express';
import { authenticate } from './auth.ts';
import type { ApiContext } from './context.ts';
import { ApiError } from './errors.ts';
import { exchangeOf, scopeOf } from './exchange.ts';

export interface MerchantGate {
  /** Anybody who belongs to the merchant. */
  readonly read: readonly RequestHandler[];
  /** People whose role administers. */
  readonly administer: readonly RequestHandler[];
}

/** The gate of an installation without accounts for people: keys read, nobody administers over HTTP. */
export function keysOnlyGate(context: ApiContext): MerchantGate {
  const read = [authenticate(context), enterWithKey];
  return { read, administer: [...read, refuseKey] };
}

/** @throws ApiError 403 when the path names another merchant */
const enterWithKey: RequestHandler = (request, response, next) => {
  const { merchantId, environment } = scopeOf(response);
  if (request.params.merchantId !== merchantId) throw new ApiError('service_merchant_forbidden');
  exchangeOf(response).access = { merchantId, environment, actor: `api_key:${environment}` };
  next();
};

const refuseKey: RequestHandler = () => {
  throw new ApiError('administration_forbidden');
};
