import { type Db, sql } from './pool.ts';

/** Records that the rows' workflows were started; the relay starts the workflows of rows without this mark. */
export async function markStarted(
  db: Db,
  table: 'checkouts' | 'subscriptions' | 'refunds',
  ids: readonly string[],
): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update ${sql.identifier([table])} set workflow_started_at = service_clock()
    where id = any (${sql.array([...ids], 'text')}) and workflow_started_at is null
  `);
}
