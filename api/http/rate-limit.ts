/**
 * Rate limits per minute: per address and API key on `/v1`, per address on `/rails`, `/invoices`,
 * `/dashboard`, `/openapi.json` and `/docs`, and per storefront client and address for requests that create a session. All API processes
 * count together: sessions exactly, the others in blocks, as guards against runaway clients. The hosted
 * page's are in `page/http/limits.ts`.
 */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { type Options, rateLimit, type Store } from 'express-rate-limit';
import { RATE_LIMIT_HEADERS } from '../../contract/core/rate-limit.ts';
import type { Pool } from '../../db/core/pool.ts';
import { countRequests, forgetRequestCount, uncountRequest } from '../../db/core/request-counts.ts';
import type { DeclineLimits } from '../../domain/session/card-testing.ts';
import { type Counting, countedTogether } from '../../page/http/counted-together.ts';
import { addressOf } from '../../page/http/limits.ts';
import { readBearer } from './bearer.ts';
import { ApiError } from './errors.ts';
import { EXPOSED_HEADERS } from './exchange.ts';

export interface RateLimits {
  readonly perKey: number;
  /** Per key of the sandbox. Default: `perKey`. */
  readonly perTestKey?: number;
  readonly perAddress: number;
  /**
   * For `/rails`, counted separately. Default: a thousand per second, however low the other limits are, since
   * a processor sends from few addresses and its webhooks must not be lost.
   */
  readonly perRailAddress?: number;
  /** For the hosted page, its invoices and the dashboard. Buyers behind one mobile network share few addresses. */
  readonly perPageAddress?: number;
  /**
   * Number of declined cards after which a click on the hosted page needs an extra step. Default:
   * `DECLINE_LIMITS`.
   */
  readonly declines?: DeclineLimits;
  /** Sessions created by a storefront client: per minute and address, in a minute and in an hour. */
  readonly storefrontSessions?: {
    readonly perAddress: number;
    readonly perClient: number;
    readonly perClientHour: number;
  };
}

/** A thousand per second. */
const GENEROUS = 60_000;
export const DEFAULT_RATE_LIMITS = {
  perKey: GENEROUS,
  perTestKey: 6_000,
  perAddress: GENEROUS,
  perPageAddress: 6_000,
  storefrontSessions: { perAddress: 60, perClient: 3_000, perClientHour: 20_000 },
} satisfies RateLimits;

const WINDOW_MS = 60_000;
const HOUR_MS = 3_600_000;

const common: Partial<Options> = {
  windowMs: WINDOW_MS,
  standardHeaders: RATE_LIMIT_HEADERS,
  legacyHeaders: false,
  // TRUSTED_PROXIES decides which proxies are trusted.
  validate: { trustProxy: false, xForwardedForHeader: false },
  handler: (request, _response, next) => next(new ApiError('rate_limited', { headers: readableBy(request) })),
};

const together = (counting: Counting, name: string, limit: number, most = limit) => ({
  ...common,
  limit,
  store: countedTogether(counting, { name, limit, most, windowMs: WINDOW_MS }),
});

export function limitAddresses(counting: Counting, name: string, limit: number): RequestHandler {
  return rateLimit({ ...together(counting, name, limit), keyGenerator: addressOf });
}

export function limitRailRates(
  counting: Counting,
  { perRailAddress = GENEROUS }: RateLimits,
): RequestHandler {
  return limitAddresses(counting, 'rails', perRailAddress);
}

export function limitRates(
  counting: Counting,
  { perKey, perTestKey = perKey, perAddress }: RateLimits,
): readonly RequestHandler[] {
  return [
    limitAddresses(counting, 'addresses', perAddress),
    // Its headers replace those of the address limit. It runs before any look-up, so that unknown keys are
    // limited too.
    rateLimit({
      ...together(counting, 'keys', Math.min(perKey, perTestKey), Math.max(perKey, perTestKey)),
      limit: (request) => (hasTestKey(request) ? perTestKey : perKey),
      skip: ({ headers }) => headers.authorization === undefined,
      keyGenerator: (request) => hashOf(keyOf(request)),
    }),
  ];
}

/** Judges by the prefix alone: the key may be unknown. */
export function hasTestKey(request: Request): boolean {
  return keyOf(request).startsWith('ap_test_');
}

/** The scheme is case-insensitive. Any header other than a bearer token is counted by its whole text. */
function keyOf({ headers: { authorization = '' } }: Request): string {
  return readBearer(authorization) ?? authorization;
}

/**
 * Sessions created by a browser without a key: each costs a row and a workflow. Runs after the storefront's
 * gate. @param clientIdOf returns the client found by the gate
 */
export function limitStorefrontSessions(
  pool: Pool,
  clientIdOf: (response: Response) => string,
  { perAddress, perClient, perClientHour } = DEFAULT_RATE_LIMITS.storefrontSessions,
): readonly RequestHandler[] {
  const store = (windowMs = WINDOW_MS) => ({ windowMs, store: sharedStore(pool, windowMs) });
  return [
    // Checked first, so that requests refused to one address do not use up the client's limit.
    rateLimit({
      ...common,
      ...store(),
      limit: perAddress,
      keyGenerator: (request, response) =>
        hashOf('sessions', clientIdOf(response as Response), addressOf(request)),
    }),
    rateLimit({
      ...common,
      ...store(),
      limit: perClient,
      keyGenerator: (_request, response) => hashOf('sessions', clientIdOf(response as Response)),
    }),
    // A limit on clients that spread over minutes and addresses.
    rateLimit({
      ...common,
      ...store(HOUR_MS),
      limit: perClientHour,
      keyGenerator: (_request, response) => hashOf('sessions of an hour', clientIdOf(response as Response)),
    }),
  ];
}

/** Counts in PostgreSQL, for all API processes. */
function sharedStore(pool: Pool, windowMs: number): Store {
  return {
    localKeys: false,
    async increment(key) {
      const { requests, windowEndsAt } = await countRequests(pool, key, windowMs);
      return { totalHits: requests, resetTime: new Date(windowEndsAt) };
    },
    decrement: (key) => uncountRequest(pool, key),
    resetKey: (key) => forgetRequestCount(pool, key),
  };
}

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('base64');
}

/**
 * A storefront's page must be able to read the code; otherwise a 429 looks like a broken network. The limit
 * per address runs before the query for the client's origins, so any page may read this response, which
 * identifies no one.
 */
function readableBy({ originalUrl }: Request): Readonly<Record<string, string>> {
  if (!originalUrl.startsWith('/v1/checkout-clients/')) return {};
  return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}
