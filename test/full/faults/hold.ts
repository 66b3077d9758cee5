/**
 * Holds transactions at chosen writes, so that a process can be killed in the middle of them: a trigger makes the
 * first transaction at the write wait for the test's advisory lock; all others pass.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

export interface HeldWrite {
  readonly table: string;
  readonly on: 'insert' | 'update';
  /** SQL over `new`, and `old` if it exists. */
  readonly when: string;
}

export interface Holds {
  /**
   * Waits until a transaction is held at each of the writes at the same time.
   * @throws with the names of the writes that no transaction reached
   */
  reached(withinMs?: number): Promise<void>;
  /** Releases held transactions and lets later ones pass. */
  release(): Promise<void>;
}

/** The keys of a hold's advisory locks: first arrival, and the lock it waits for. */
const FIRST = 1;
const GATE = 2;
let holds = 0;

/** Triggers are not dropped at the release, because that would wait for every transaction on their table. */
export async function holdAt(
  databaseUrl: string,
  writes: Readonly<Record<string, HeldWrite>>,
): Promise<Holds> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`
    create or replace function hold_first() returns trigger language plpgsql as $$
    begin
      if pg_try_advisory_xact_lock(tg_argv[0]::integer, ${FIRST}) then
        -- A claim gives up its place after a second's wait for a lock.
        perform set_config('lock_timeout', '0', true);
        perform pg_advisory_xact_lock_shared(tg_argv[0]::integer, ${GATE});
      end if;
      return new;
    end $$`);
  const names = new Map<number, string>();
  for (const [name, { table, on, when }] of Object.entries(writes)) {
    const hold = ++holds;
    names.set(hold, name);
    await client.query(`select pg_advisory_lock(${hold}, ${GATE})`);
    await client.query(`
      create trigger hold_${hold} before ${on} on ${table} for each row when (${when})
      execute function hold_first(${hold})`);
  }

  async function waiting(): Promise<ReadonlySet<number>> {
    const { rows } = await client.query<{ hold: string }>(`
      select classid as hold from pg_locks
      where locktype = 'advisory' and objid = ${GATE} and not granted
        and database = (select oid from pg_database where datname = current_database())`);
    return new Set(rows.map(({ hold }) => Number(hold)));
  }

  return {
    async reached(withinMs = 120_000) {
      for (const end = performance.now() + withinMs; ; await pause(10)) {
        const now = await waiting();
        const missing = [...names].filter(([hold]) => !now.has(hold)).map(([, name]) => name);
        if (missing.length === 0) return;
        if (performance.now() > end) throw new Error(`no transaction reached ${missing.join(', ')}`);
      }
    },
    async release() {
      for (const hold of names.keys()) await client.query(`select pg_advisory_unlock(${hold}, ${GATE})`);
      await client.end();
    },
  };
}
