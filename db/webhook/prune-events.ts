/** Events and their log are kept for 90 days, then deleted in batches. */
import { z } from 'zod';
import { type Pool, sql } from '../core/pool.ts';

const KEPT_DAYS = 90;

/**
 * Deletes up to `limit` events with deliveries and attempts, whatever their status, held ones included.
 * @returns how many
 */
export function pruneEvents(pool: Pool, limit: number): Promise<number> {
  return pool.transaction(async (tx) => {
    const ids = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
      select id from events
      where created_at < (select service_clock() - make_interval(days => ${KEPT_DAYS}))
      limit ${limit}
      for update skip locked`);
    if (ids.length === 0) return 0;
    const old = sql.array([...ids], 'text');
    await tx.query(sql.typeAlias('void')`delete from delivery_attempts where event_id = any (${old})`);
    await tx.query(sql.typeAlias('void')`delete from deliveries where event_id = any (${old})`);
    await tx.query(sql.typeAlias('void')`delete from events where id = any (${old})`);
    return ids.length;
  });
}
