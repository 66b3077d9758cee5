/**
 * Rate limits per minute: per address and API key on `/v1`, per address on `/rails`. Each process counts alone:
 * a guard against runaway clients, not a quota.
 */
import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, type Options, rateLimit } from 'express-rate-limit';
import { ApiError } from './errors.ts';
import { EXPOSED_HEADERS } from './exchange.ts';

export interface RateLimits {
  readonly perKey: number;
  readonly perAddress: number;
  /**
   * For `/rails`, counted separately. Default: a thousand per second, however low the other limits are, since a
   * processor sends from few addresses and its news must not be lost.
   */
  readonly perRailAddress?: number;
}

/** A thousand per second. */
const GENEROUS = 60_000;
export const DEFAULT_RATE_LIMITS: RateLimits = { perKey: GENEROUS, perAddress: GENEROUS };

const common: Partial<Options> = {
  windowMs: 60_000,
  standardHeaders: 'draft-6',
  legacyHeaders: false,
  // TRUSTED_PROXIES decides which proxies are trusted.
  validate: { trustProxy: false, xForwardedForHeader: false },
  handler: (request, _response, next) => next(new ApiError('rate_limited', { headers: readableBy(request) })),
};

function limitAddresses(limit: number): RequestHandler {
  return rateLimit({ ...common, limit, keyGenerator: ({ ip }) => ipKeyGenerator(ip ?? '') });
}

export function limitRailRates({ perRailAddress = GENEROUS }: RateLimits): RequestHandler {
  return limitAddresses(perRailAddress);
}

export function limitRates({ perKey, perAddress }: RateLimits): readonly RequestHandler[] {
  return [
    limitAddresses(perAddress),
    // Its headers replace those of the address limit. Before any look-up: unknown keys are limited too.
    rateLimit({
      ...common,
      limit: perKey,
      skip: ({ headers }) => headers.authorization === undefined,
      keyGenerator: ({ headers }) =>
        createHash('sha256')
          .update(headers.authorization ?? '')
          .digest('base64'),
    }),
  ];
}

/**
 * A storefront's page must be able to read the code, or a 429 looks like a broken network. The limit runs
 * before the query for the client's origins, so any page may read this response, which identifies no one.
 */
function readableBy({ originalUrl }: Request): Readonly<Record<string, string>> {
  if (!originalUrl.startsWith('/v1/checkout-clients/')) return {};
  return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}
