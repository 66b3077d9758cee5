/** What is known of one request and its answer, beside Express's own objects. */
import type { Response } from 'express';
import type { ErrorCode } from '../../contract/core/errors.ts';
import type { Actor } from '../../db/core/audit.ts';
import type { Environment, Scope } from '../../domain/environment.ts';
import type { Permission } from '../../domain/permissions.ts';
import type { Person } from './people/token.ts';

/** What a page in a browser may read of an answer's headers. */
export const EXPOSED_HEADERS =
  'x-request-id, x-service-flow-id, Idempotency-Replayed, Retry-After, Service-Version';

export interface Exchange {
  readonly requestId: string;
  /** The merchant and environment of the API key, once it was checked. */
  scope?: Scope;
  /** Who brings an access token, once it was checked. */
  person?: Person;
  /** Who asks on a route under `/v1/merchants/:merchantId`, once it was checked. */
  access?: MerchantAccess;
  /** What a failure of the service itself is called on this route, from here on. */
  failureCode?: ErrorCode;
  /** The code that was answered, for the log. */
  errorCode?: ErrorCode;
}

export interface MerchantAccess {
  readonly merchantId: string;
  /** Null: a person, who sees both. */
  readonly environment: Environment | null;
  /** For the audit log. */
  readonly actor: string;
  readonly permissions: ReadonlySet<Permission>;
}

export function beginExchange(response: Response, requestId: string): Exchange {
  const exchange: Exchange = { requestId };
  response.locals.exchange = exchange;
  return exchange;
}

export function exchangeOf(response: Response): Exchange {
  return response.locals.exchange as Exchange;
}

/** The scope of a route behind `authenticate`. */
export function scopeOf(response: Response): Scope {
  const { scope } = exchangeOf(response);
  if (!scope) throw new Error('the route has no authentication');
  return scope;
}

/** Who asks on a route behind a merchant gate. */
export function accessOf(response: Response): MerchantAccess {
  const { access } = exchangeOf(response);
  if (!access) throw new Error('the route has no merchant gate');
  return access;
}

/** Who asks, as a change is audited. */
export function actorOf(response: Response): Actor {
  return { actor: accessOf(response).actor, requestId: exchangeOf(response).requestId };
}

/** Who asks on a route behind a merchant gate's `people`. */
export function personOf(response: Response): Person {
  const { person } = exchangeOf(response);
  if (!person) throw new Error('the route has no gate for people');
  return person;
}
