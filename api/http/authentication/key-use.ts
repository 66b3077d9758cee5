/**
 * Records when an API key was last used: at most one write per key, process and minute. No request waits for it.
 */
import type { Pool } from '../../../db/core/pool.ts';
import { recordKeyUse } from '../../../db/merchant/api-key-holder.ts';
import type { ApiContext } from '../context.ts';

const EVERY_MS = 60_000;

/** Keyed by pool, so that all routes of a process share one map. */
const written = new WeakMap<Pool, Map<string, number>>();

export function noteKeyUse({ pool, logger }: Pick<ApiContext, 'pool' | 'logger'>, apiKeyId: string): void {
  const last = written.get(pool) ?? new Map<string, number>();
  written.set(pool, last);
  const now = performance.now();
  if (now - (last.get(apiKeyId) ?? -EVERY_MS) < EVERY_MS) return;
  last.set(apiKeyId, now);
  recordKeyUse(pool, apiKeyId).catch((error: unknown) => {
    logger.warn({ apiKeyId, err: error }, 'key use not recorded');
  });
}
