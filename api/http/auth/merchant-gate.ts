/**
 * Authorization under `/v1/merchants`: the merchant's own API key reads its environment, people administer as
 * `domain/core/permissions.ts` allows. The handlers store the caller in the exchange, or throw.
 */
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import type { Permission } from '../../../domain/core/permissions.ts';
import type { ApiContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { exchangeOf, scopeOf } from '../exchange.ts';
import { authenticate } from './api-key.ts';

/** All but `people` add a `MerchantAccess` for the merchant of the path to the exchange. */
export interface MerchantGate {
  /** Anyone who belongs to the merchant. */
  readonly read: readonly RequestHandler[];
  /** People with at least one of these permissions at the merchant. */
  allow(...permissions: readonly Permission[]): readonly RequestHandler[];
  /** Any person, on routes whose path names no merchant; sets the exchange's `Person`. */
  readonly people: readonly RequestHandler[];
}

/**
 * The gate of an installation without an identity provider: keys can read, and administration over HTTP is
 * off.
 */
export function keysOnlyGate(context: ApiContext): MerchantGate {
  const key = authenticate(context);
  const read = [key, enterWithKey];
  const refused = [...read, refuseKey];
  return { read, allow: () => refused, people: [key, refuseKey] };
}

/** The path names the key's own merchant: `authenticate` refuses any other. */
const enterWithKey: RequestHandler = (_request, response, next) => {
  const { merchantId, environment } = scopeOf(response);
  const actor = `api_key:${environment}`;
  exchangeOf(response).access = { merchantId, environment, actor, permissions: new Set(['read']) };
  next();
};

/**
 * Gate of paths and methods without a route: refuses a path of another merchant, and passes every other caller on to
 * the answer 404 or 405.
 *
 * @throws ApiError 403 `service_merchant_forbidden`
 */
export function refuseStrangers({ read }: MerchantGate): RequestHandler {
  const goOn: ErrorRequestHandler = (error, _request, _response, next) => {
    next(error instanceof ApiError && error.code === 'service_merchant_forbidden' ? error : undefined);
  };
  return express.Router({ mergeParams: true }).use(...read, goOn);
}

const refuseKey: RequestHandler = () => {
  throw new ApiError('administration_forbidden');
};
