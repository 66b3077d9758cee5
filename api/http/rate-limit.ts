/**
 * Rate limits per minute: per address and API key on `/v1`, per address on `/rails`, `/invoices`, `/dashboard`,
 * `/openapi.json` and `/docs`. They protect against runaway clients, so approximate counts suffice: all API processes
 * share them, and update them in blocks. Storefront sessions are limited in `api/session/storefront-limits.ts`, the
 * hosted page in `page/http/limits.ts`.
 */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { type Options, rateLimit } from 'express-rate-limit';
import { RATE_LIMIT_HEADERS } from '../../contract/core/rate-limit.ts';
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
   * For `/rails`, counted separately. Default: a thousand per second, even if the other limits are low, because a
   * processor sends from few addresses and its webhooks must not be lost.
   */
  readonly perRailAddress?: number;
  /** For the hosted page, its invoices and the dashboard. Buyers behind one mobile network share few addresses. */
  readonly perPageAddress?: number;
  /**
   * Limits on declined cards; above one of them, a click on the hosted page needs a proof of work. Default:
   * `DECLINE_LIMITS`.
   */
  readonly declines?: DeclineLimits;
  /** Sessions created by a storefront client: per address and minute, per minute, and per hour. */
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

export const WINDOW_MS = 60_000;

export const COMMON: Partial<Options> = {
  windowMs: WINDOW_MS,
  standardHeaders: RATE_LIMIT_HEADERS,
  legacyHeaders: false,
  // TRUSTED_PROXIES decides which proxies are trusted.
  validate: { trustProxy: false, xForwardedForHeader: false },
  handler: (request, _response, next) => next(new ApiError('rate_limited', { headers: readableBy(request) })),
};

const together = (counting: Counting, name: string, limit: number, most = limit) => ({
  ...COMMON,
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
    // The key limit's headers replace those of the address limit. The key limit runs before the key is looked up, so
    // that unknown keys are limited too.
    rateLimit({
      ...together(counting, 'keys', Math.min(perKey, perTestKey), Math.max(perKey, perTestKey)),
      limit: (request) => (hasTestKey(request) ? perTestKey : perKey),
      skip: ({ headers }) => headers.authorization === undefined,
      keyGenerator: (request) => hashOf(keyOf(request)),
    }),
  ];
}

/** Checks only the prefix, not whether the key exists. */
export function hasTestKey(request: Request): boolean {
  return keyOf(request).startsWith('ap_test_');
}

/** Returns the bearer token, whose scheme is case-insensitive; for any other header, the header's whole text. */
function keyOf({ headers: { authorization = '' } }: Request): string {
  return readBearer(authorization) ?? authorization;
}

export function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('base64');
}

/**
 * Lets a storefront's page read a 429, which otherwise looks like a broken network. The limit per address runs before
 * the client's origins are queried, so any page may read this response, which identifies no one.
 */
function readableBy({ originalUrl }: Request): Readonly<Record<string, string>> {
  if (!originalUrl.startsWith('/v1/checkout-clients/')) return {};
  return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}
