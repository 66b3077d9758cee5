/** State of one request and its response, besides Express's own objects. */
import type { Response } from 'express';
import type { ErrorCode } from '../../contract/core/errors.ts';
import type { Actor } from '../../db/core/audit.ts';
import type { ApiKeyHolder } from '../../db/merchant/api-key-holder.ts';
import type { Environment, Scope } from '../../domain/core/environment.ts';
import type { Permission } from '../../domain/core/permissions.ts';
import type { Person } from './person.ts';

/** Response headers that a page in a browser may read. */
export const EXPOSED_HEADERS = [
  'x-request-id',
  'x-service-flow-id',
  'Idempotency-Replayed',
  'Retry-After',
  'Service-Version',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
].join(', ');

export interface Exchange {
  readonly requestId: string;
  /** The environment whose connections and slots the request uses (rule 37), decided before authentication. */
  lane: Environment;
  /** Merchant and environment of the API key, once verified. */
  scope?: Scope;
  /** The API key, once verified. */
  apiKey?: ApiKeyHolder;
  /** The person of the access token, once verified. */
  person?: Person;
  /** The caller on a route under `/v1/merchants/:merchantId`, once verified. */
  access?: MerchantAccess;
  /** Once set, the error code for an internal failure on this route. */
  failureCode?: ErrorCode;
  /** The code of the response, for the log. */
  errorCode?: ErrorCode;
}

export interface MerchantAccess {
  readonly merchantId: string;
  /** Null for a person, who has access to both environments. */
  readonly environment: Environment | null;
  /** For the audit log. */
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
}

export function beginExchange(response: Response, requestId: string): Exchange {
  const exchange: Exchange = { requestId, lane: 'production' };
  response.locals.exchange = exchange;
  return exchange;
}

export function exchangeOf(response: Response): Exchange {
  return response.locals.exchange as Exchange;
}

/** Returns the scope on a route behind `authenticate`. */
export function scopeOf(response: Response): Scope {
  const { scope } = exchangeOf(response);
  if (!scope) throw new Error('the route has no authentication');
  return scope;
}

/** Returns the caller on a route behind a merchant gate. */
export function accessOf(response: Response): MerchantAccess {
  const { access } = exchangeOf(response);
  if (!access) throw new Error('the route has no merchant gate');
  return access;
}

/** Returns the caller as the audit log records it. */
export function actorOf(response: Response): Actor {
  return { actor: accessOf(response).actor, requestId: exchangeOf(response).requestId };
}

/** Returns the person on a route behind a merchant gate's `people`. */
export function personOf(response: Response): Person {
  const { person } = exchangeOf(response);
  if (!person) throw new Error('the route does not authenticate people');
  return person;
}
