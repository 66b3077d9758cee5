/**
 * Counts requests against a rate limit across all API processes; a statement per request would cost too much. After
 * each twentieth of the limit, a process reports its count and reads the others' counts. The limit is therefore
 * exceeded by at most a twentieth per process, and a buyer who clicks a few times costs no statement.
 */
import { createHash } from 'node:crypto';
import type { Store } from 'express-rate-limit';
import { countRequests } from '../../db/core/request-counts.ts';
import type { PageContext } from './context.ts';

const REPORTS_PER_LIMIT = 20;

export type Counting = Pick<PageContext, 'pool' | 'logger'>;

export interface CountedLimit {
  /** Separates the counts of limits that use the same address. */
  readonly name: string;
  readonly limit: number;
  /** The highest limit, if the limit differs between keys. Default: `limit`. */
  readonly most?: number;
  readonly windowMs: number;
}

/** Times come from the monotonic clock: a wall clock that is set back would keep a window open. */
interface Window {
  endsAt: number;
  /** Requests that this process received. */
  own: number;
  /** Requests of the other processes, as last read. */
  others: number;
  /** The count that this process reported in the shared window, and when that window ends. */
  reported: number;
  sharedEndsAt: string;
  /** When `others` must be read again: a rejecting process reports nothing, and would otherwise keep the old counts. */
  othersUntil: number;
}

const NOTHING_COUNTED = { own: 0, others: 0, reported: 0, sharedEndsAt: '', othersUntil: 0 };

export function countedTogether(
  { pool, logger }: Counting,
  { name, limit, most = limit, windowMs }: CountedLimit,
): Store {
  const block = Math.max(1, Math.floor(limit / REPORTS_PER_LIMIT));
  // Windows used in the last two periods.
  let recent = new Map<string, Window>();
  let older = new Map<string, Window>();
  let turnsAt = performance.now() + windowMs;
  let isAlone = false;

  function windowOf(key: string): Window {
    const now = performance.now();
    if (now >= turnsAt) {
      older = recent;
      recent = new Map();
      turnsAt = now + windowMs;
    }
    const known = recent.get(key) ?? older.get(key);
    const window = known ?? { ...NOTHING_COUNTED, endsAt: now + windowMs };
    if (now >= window.endsAt) Object.assign(window, { endsAt: now + windowMs, own: 0 });
    if (now >= window.othersUntil) window.others = 0;
    recent.set(key, window);
    return window;
  }

  async function report(key: string, window: Window): Promise<void> {
    const hashed = createHash('sha256').update(`${name} ${key}`).digest('base64');
    try {
      const counted = await countRequests(pool, hashed, windowMs, block);
      const { requests, windowEndsAt, windowEndsInMs } = counted;
      if (windowEndsAt !== window.sharedEndsAt) window.reported = 0;
      window.sharedEndsAt = windowEndsAt;
      window.reported += block;
      window.others = Math.max(0, requests - window.reported);
      window.othersUntil = performance.now() + windowEndsInMs;
      if (isAlone) logger.info({ limit: name }, 'shared rate-limit counts available again');
      isAlone = false;
    } catch (error) {
      // Fail open: a rate limit must not cause an outage.
      if (!isAlone)
        logger.warn(
          { limit: name, err: error },
          'shared rate-limit counts unavailable, counting per process',
        );
      isAlone = true;
    }
  }

  return {
    localKeys: false,
    async increment(key) {
      const window = windowOf(key);
      window.own += 1;
      const isRefused = window.own + window.others > most;
      if (!isRefused && window.own > block && window.own % block === 1 % block) await report(key, window);
      return {
        totalHits: window.own + window.others,
        resetTime: new Date(Date.now() + window.endsAt - performance.now()),
      };
    },
    decrement(key) {
      windowOf(key).own -= 1;
    },
    resetKey(key) {
      recent.delete(key);
      older.delete(key);
    },
  };
}
