/**
 * Rate limits of the hosted page: per session, because a workflow takes a limited number of updates (rule 14), and per
 * address, because anyone can load a page. All API processes count together.
 */
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import { RATE_LIMIT_HEADERS } from '../../contract/core/rate-limit.ts';
import { answerError } from './answer.ts';
import { type Counting, countedTogether } from './counted-together.ts';

const WINDOW_MS = 60_000;

/** Allows ten concurrent clicks, each repeated a few times while its outcome is unknown. */
export const CLICKS_PER_MINUTE = 60;
const READS_PER_MINUTE = 600;

export function limitClicks(counting: Counting): RequestHandler {
  return limit(counting, 'page clicks', CLICKS_PER_MINUTE, tokenOf);
}

export function limitReads(counting: Counting): RequestHandler {
  return limit(counting, 'page reads', READS_PER_MINUTE, tokenOf);
}

export function limitAddress(counting: Counting, name: string, perMinute: number): RequestHandler {
  return limit(counting, name, perMinute, addressOf);
}

export function addressOf({ ip }: Request): string {
  return ipKeyGenerator(ip ?? '');
}

/** The address for limits that could be evaded with many addresses: all addresses of an IPv6 /48 count as one. */
export function networkOf(ip: string | undefined): string {
  return ipKeyGenerator(ip ?? '', 48);
}

function tokenOf(req: Request): string {
  return String(req.params.pageToken).slice(0, 100);
}

/** Limits requests: the page's script gets the error code as JSON, a navigation gets an HTML page. */
function limit(
  counting: Counting,
  name: string,
  perMinute: number,
  keyGenerator: (req: Request) => string,
): RequestHandler {
  return rateLimit({
    windowMs: WINDOW_MS,
    store: countedTogether(counting, { name, limit: perMinute, windowMs: WINDOW_MS }),
    limit: perMinute,
    standardHeaders: RATE_LIMIT_HEADERS,
    legacyHeaders: false,
    validate: { trustProxy: false, xForwardedForHeader: false },
    keyGenerator,
    handler: (_req: Request, res: Response, next: NextFunction) =>
      res.locals.forScript ? answerError(res, 'rate_limited') : next(new TooManyRequests()),
  });
}

class TooManyRequests extends Error {
  readonly status = 429;
}
