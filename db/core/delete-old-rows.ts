/** Deletes rows with a limited age or number: logs, and idempotency keys (docs/contract.md#idempotency). */
import { type Db, sql } from './pool.ts';
import { NOW } from './service-clock.ts';

/**
 * Deletes rows that are older than `keptDays`, oldest first. If the oldest row is not that old, no other row is read.
 * @param table its ids are in the order of `at`
 * @returns how many were deleted
 */
export async function deleteOldest(
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

/**
 * Maximum number of refusals stored per owner of keys. The oldest ones above it are deleted; a repeated request is then
 * evaluated again.
 */
export const REFUSALS_KEPT = 500;

/** Deletes an owner's oldest refusals beyond `REFUSALS_KEPT`. */
export async function deleteOldRefusals(db: Db, scope: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    delete from idempotency_keys where ctid = any (array(
      select ctid from idempotency_keys where scope = ${scope} and (answer ->> 'status')::integer >= 400
      order by created_at desc offset ${REFUSALS_KEPT} limit 10
    ))
  `);
}

/** Deletes keys older than 30 days, the oldest first. @returns how many */
export async function deleteOldKeys(db: Db, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql.typeAlias('void')`
    delete from idempotency_keys where ctid = any (array(
      select ctid from idempotency_keys
      where not keep_for_ever and created_at < ${NOW} - interval '30 days' and lease_until < ${NOW}
      order by created_at limit ${limit}
    ))
  `);
  return rowCount;
}
