/**
 * Connections that monitor PostgreSQL for a process, so that monitoring never waits behind the service's own
 * statements.
 */
import { type Db, openPool, type Pool, type PoolOptions, readClock } from './pool.ts';

const READ_WITHIN_MS = 5_000;
/** Shorter than the time-out of a metrics scrape. */
const ANSWERS_WITHIN_MS = 3_000;

/** One connection to read the figures, one to check whether PostgreSQL answers. */
export function openWatchPool(options: PoolOptions): Promise<Pool> {
  return openPool({ ...options, maxConnections: 2, statementTimeoutMs: READ_WITHIN_MS });
}

/**
 * A frozen server does not cancel a statement. The connection is therefore closed after the time-out, so that the next
 * read does not wait for it.
 * @throws Error after the time-out
 */
export async function inTime<Result>(
  pool: Pool,
  work: (db: Db) => Promise<Result>,
  timeoutMs = READ_WITHIN_MS,
): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  const message = `PostgreSQL did not answer within ${timeoutMs / 1_000} s`;
  const timer = setTimeout(() => timeout.reject(new Error(message)), timeoutMs);
  const inWork = pool.connect((connection) => Promise.race([work(connection), timeout.promise]));
  try {
    return await Promise.race([inWork, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** @throws Error if PostgreSQL does not answer within three seconds */
export const askDatabase = (watchPool: Pool): Promise<unknown> =>
  inTime(watchPool, readClock, ANSWERS_WITHIN_MS);
