/** Pools that fail, for `startTestApi({ poolThrough })`. */
import type { Pool } from '../../../db/core/pool.ts';

/** The error of an unreachable PostgreSQL. */
export const NOT_THERE = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** @param but a method that works: `maybeOne` only reads, for example an API key */
export function failing(error: Error, but?: 'maybeOne'): (pool: Pool) => Pool {
  return (pool) =>
    new Proxy(pool, {
      get: (target, name) => (name === but ? target.maybeOne.bind(target) : () => Promise.reject(error)),
    });
}
