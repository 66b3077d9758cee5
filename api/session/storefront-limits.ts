/** Limits on the sessions that storefront clients create, counted exactly. */
import type { RequestHandler, Response } from 'express';
import { rateLimit, type Store } from 'express-rate-limit';
import type { Pool } from '../../db/core/pool.ts';
import { countRequests, deleteRequestCount, uncountRequest } from '../../db/core/request-counts.ts';
import { addressOf } from '../../page/http/limits.ts';
import { COMMON, DEFAULT_RATE_LIMITS, hashOf, WINDOW_MS } from '../http/rate-limit.ts';

const HOUR_MS = 3_600_000;

/**
 * Limits the sessions that browsers create without a key, because each costs a row and a workflow. Runs after the
 * storefront's gate.
 *
 * @param clientIdOf returns the client that the gate found
 */
export function limitStorefrontSessions(
  pool: Pool,
  clientIdOf: (response: Response) => string,
  { perAddress, perClient, perClientHour } = DEFAULT_RATE_LIMITS.storefrontSessions,
): readonly RequestHandler[] {
  const store = (windowMs = WINDOW_MS) => ({ windowMs, store: sharedStore(pool, windowMs) });
  return [
    // Checked first, so that requests rejected for their address do not use up the client's limit.
    rateLimit({
      ...COMMON,
      ...store(),
      limit: perAddress,
      keyGenerator: (request, response) =>
        hashOf('sessions', clientIdOf(response as Response), addressOf(request)),
    }),
    rateLimit({
      ...COMMON,
      ...store(),
      limit: perClient,
      keyGenerator: (_request, response) => hashOf('sessions', clientIdOf(response as Response)),
    }),
    // Limits clients whose requests are spread over minutes and addresses.
    rateLimit({
      ...COMMON,
      ...store(HOUR_MS),
      limit: perClientHour,
      keyGenerator: (_request, response) => hashOf('sessions of an hour', clientIdOf(response as Response)),
    }),
  ];
}

/** Returns a store that counts in PostgreSQL, shared by all API processes. */
function sharedStore(pool: Pool, windowMs: number): Store {
  return {
    localKeys: false,
    async increment(key) {
      const { requests, windowEndsAt } = await countRequests(pool, key, windowMs);
      return { totalHits: requests, resetTime: new Date(windowEndsAt) };
    },
    decrement: (key) => uncountRequest(pool, key),
    resetKey: (key) => deleteRequestCount(pool, key),
  };
}
