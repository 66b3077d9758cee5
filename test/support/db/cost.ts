/** Counts the database work of the code under test: the same on every machine. */
import { expect } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { eventually } from '../core/eventually.ts';

export interface StatementCounter {
  /** The statements since `reset`, sent by this process to that database. */
  readonly count: number;
  reset(): void;
  end(): void;
}

export function countStatements(databaseUrl: string): StatementCounter {
  const name = new URL(databaseUrl).pathname.slice(1);
  const sendQuery = pg.Client.prototype.query;
  let count = 0;
  pg.Client.prototype.query = function (this: pg.Client & { database?: string }, ...args: unknown[]) {
    if (this.database === name) count += 1;
    return (sendQuery as (...given: unknown[]) => unknown).apply(this, args);
  } as typeof sendQuery;
  return {
    get count() {
      return count;
    },
    reset: () => {
      count = 0;
    },
    end: () => {
      pg.Client.prototype.query = sendQuery;
    },
  };
}

/**
 * The rows inserted, updated and deleted so far. Ends the other sessions, which report their statistics then; the pool
 * opens new ones. The querying session reports its own at most once a second unless forced to, so it is one session.
 */
export async function rowsWritten(pool: Pool): Promise<number> {
  const others = sql.fragment`from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
  return pool.connect(async (session) => {
    await session.query(sql.unsafe`select pg_terminate_backend(pid) ${others}`);
    await eventually(async () => expect(await session.exists(sql.unsafe`select ${others}`)).toBe(false));
    await session.query(sql.unsafe`select pg_stat_force_next_flush()`);
    return session.oneFirst(sql.type(z.object({ written: z.number() }))`
      select sum(n_tup_ins + n_tup_upd + n_tup_del)::int8 as written from pg_stat_user_tables`);
  });
}

/**
 * The entries of `cost` above `most`: a change that raises one must justify it in the test and its document.
 */
export function grown<Costs extends Readonly<Record<string, number>>>(cost: Costs, most: Costs) {
  return Object.fromEntries(Object.entries(cost).filter(([name, value]) => value > (most[name] ?? 0)));
}
