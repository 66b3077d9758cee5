/** Counts of limited requests, shared by all API processes. */
import { z } from 'zod';
import { camelCased, type Db, sql } from './pool.ts';
import { NOW } from './service-clock.ts';

const count = camelCased({
  requests: z.number(),
  window_ends_at: z.string(),
  /** Time left in the window, by the database's clock. */
  window_ends_in_ms: z.number(),
});
export type RequestCount = z.infer<typeof count>;

/** Counts requests in windows; the first request after a window's end starts another. */
export function countRequests(db: Db, key: string, windowMs: number, more = 1): Promise<RequestCount> {
  return db.one(sql.type(count)`
    insert into request_counts as known (key, requests, window_ends_at)
    values (${key}, ${more}, service_clock() + ${windowMs}::float8 * interval '1 millisecond')
    on conflict (key) do update set
      requests = case when known.window_ends_at > service_clock() then known.requests + excluded.requests
        else excluded.requests end,
      window_ends_at = case when known.window_ends_at > service_clock() then known.window_ends_at
        else excluded.window_ends_at end
    returning requests, window_ends_at,
      ms_between(service_clock(), window_ends_at) as window_ends_in_ms
  `);
}

export async function uncountRequest(db: Db, key: string): Promise<void> {
  await db.query(
    sql.typeAlias(
      'void',
    )`update request_counts set requests = requests - 1 where key = ${key} and requests > 0`,
  );
}

export async function deleteRequestCount(db: Db, key: string): Promise<void> {
  await db.query(sql.typeAlias('void')`delete from request_counts where key = ${key}`);
}

export async function deleteOldRequestCounts(db: Db): Promise<void> {
  await db.query(
    sql.typeAlias('void')`delete from request_counts where window_ends_at < ${NOW} - interval '1 minute'`,
  );
}
