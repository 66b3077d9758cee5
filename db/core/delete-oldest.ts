import { type Db, sql } from './pool.ts';
import { NOW } from './service-clock.ts';

/**
 * Deletes rows that are older than `keptDays`, oldest first. While the oldest row is still kept, only that row is
 * checked.
 * @param table its ids are in the order of `at`
 * @returns how many were deleted
 */
export async function forgetOldest(
  db: Db,
  table: 'audit_log' | 'rail_answers',
  keptDays: number,
  limit: number,
): Promise<number> {
  const rows = sql.identifier([table]);
  const kept = sql.fragment`${NOW} - ${keptDays} * interval '1 day'`;
  const { rowCount } = await db.query(sql.typeAlias('void')`
    delete from ${rows} where (select at from ${rows} order by id limit 1) < ${kept} and id = any (array(
      select id from (select id, at from ${rows} order by id limit ${limit}) oldest where at < ${kept}
    ))
  `);
  return rowCount;
}
