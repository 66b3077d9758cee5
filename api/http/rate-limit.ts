/**
 * How often one address and one API key may call `/v1` within a minute, and one address `/rails`. Counted in each
 * process by itself: a guard against a client that runs wild, no quota.
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
   * Of `/rails`, counted apart. Absent: a thousand each second, however low the others are set, since a processor
   * sends what it has from few addresses, and what it sends must not be lost.
   */
  readonly perRailAddress?: number;
}

/** A thousand each second. */
const GENEROUS = 60_000;
export const DEFAULT_RATE_LIMITS: RateLimits = { perKey: GENEROUS, perAddress: GENEROUS };

const common: Partial<Options> = {
  windowMs: 60_000,
  standardHeaders: 'draft-6',
  legacyHeaders: false,
  // Whether a proxy is trusted is the configuration's matter (TRUSTED_PROXIES).
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
    // Its headers replace the address's. Not looked up yet: a key that does not exist is limited too.
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
 * A storefront's page has to see the code, or it takes a 429 for a broken network. The limit stands before the
 * database, where a client's origins are: so any page may read this answer, which says nothing of anybody.
 */
function readableBy({ originalUrl }: Request): Readonly<Record<string, string>> {
  if (!originalUrl.startsWith('/v1/checkout-clients/')) return {};
  return { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}
