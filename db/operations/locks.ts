/** The activity of the database's sessions, and which sessions block others. */
import { z } from 'zod';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Db, type Pool, sql } from '../core/pool.ts';

const databaseSession = z.object({
  pid: z.int(),
  program: z.string().nullable(),
  state: z.string().nullable(),
  blocked_by: z.array(z.int()),
  blocks: z.int(),
  seconds: z.int(),
  query: z.string().nullable(),
});
export type DatabaseSession = z.infer<typeof databaseSession>;

/** Lists this database's sessions except idle ones: first those that block others, then by transaction's duration. */
export function listDatabaseSessions(db: Db): Promise<readonly DatabaseSession[]> {
  return db.any(sql.type(databaseSession)`
    with sessions as materialized (
      select pid, application_name as program, state, pg_blocking_pids(pid) as blocked_by,
        floor(ms_between(coalesce(xact_start, query_start, backend_start), clock_timestamp()) / 1000)::int as seconds,
        left(regexp_replace(query, '\\s+', ' ', 'g'), 80) as query
      from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and state is distinct from 'idle'
    )
    select *, (select count(*)::int from sessions other where s.pid = any (other.blocked_by)) as blocks
    from sessions s order by blocks desc, seconds desc limit 50`);
}

/**
 * Ends a database session, with an audit row.
 *
 * @returns false if no session of this database has this pid
 */
export function endDatabaseSession(pool: Pool, pid: number, actor: Actor): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const ended = await tx.maybeOneFirst(sql.type(z.object({ ended: z.boolean() }))`
      select pg_terminate_backend(pid) as ended from pg_stat_activity
      where pid = ${pid} and pid <> pg_backend_pid() and datname = current_database()
        and backend_type = 'client backend'`);
    if (!ended) return false;
    await writeAudit(tx, {
      ...actor,
      merchantId: null,
      environment: null,
      action: 'database_session.end',
      subjectId: `${pid}`,
      before: null,
      after: {},
    });
    return true;
  });
}

const serverFacts = z.object({
  connections: z.int(),
  most: z.int(),
  started_at: z.string(),
  money_may_move: z.boolean(),
  waiting: z.int(),
});

/** Waits for a lock longer than this are not caused by ordinary row updates. */
const HELD_UP = sql.fragment`interval '3 seconds'`;

/** @throws if PostgreSQL cannot write, for example because the disk is full: reads would still succeed */
export function readServerFacts(pool: Pool) {
  return pool.transaction(async (tx) => {
    await tx.query(sql.typeAlias('void')`
      create temp table health_probe on commit drop as select repeat('x', 1000) from generate_series(1, 1000)`);
    return tx.one(sql.type(serverFacts)`
    select (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      current_setting('max_connections')::int as most, pg_postmaster_start_time() as started_at,
      money_may_move(),
      (select count(*)::int from pg_stat_activity a
        where datname = current_database() and exists (
          select from pg_locks l where l.pid = a.pid and not granted and waitstart < clock_timestamp() - ${HELD_UP}))
        as waiting`);
  });
}
