/** Connections by which a process watches PostgreSQL: never behind the service's own statements. */
import { type Db, openPool, type Pool, type PoolOptions } from './pool.ts';

/** Less than the ten seconds that Prometheus waits for a scrape. */
const TIMEOUT_MS = 5_000;

/** One for reading the figures and one for asking whether PostgreSQL answers. */
export function openWatchPool(options: PoolOptions): Promise<Pool> {
  return openPool({ ...options, maxConnections: 2, statementTimeoutMs: TIMEOUT_MS });
}

/**
 * A frozen server cancels no statement: after the time-out the connection is closed, so that the next read does not
 * wait for it.
 * @throws Error after five seconds
 */
export async function inTime<Result>(pool: Pool, work: (db: Db) => Promise<Result>): Promise<Result> {
  const timeout = Promise.withResolvers<never>();
  const message = `PostgreSQL did not answer within ${TIMEOUT_MS / 1_000} s`;
  const timer = setTimeout(() => timeout.reject(new Error(message)), TIMEOUT_MS);
  const inWork = pool.connect((connection) => Promise.race([work(connection), timeout.promise]));
  try {
    return await Promise.race([inWork, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
