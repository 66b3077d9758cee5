/** Counts statements in the service's database, with pg_stat_statements, and the rows that they write, by table. */
import pg from 'pg';
import { rowsAreCounted } from './cost.ts';
import type { Place } from './place.ts';

interface StatementCount {
  readonly calls: number;
  readonly runningMs: number;
  readonly rows: number;
  /** The statement's first words, normalised. */
  readonly text: string;
}

interface TableCount {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

export interface Statements {
  /** Calls per operation. */
  readonly calls: number;
  readonly runningMs: number;
  readonly each: readonly StatementCount[];
  readonly tables: readonly TableCount[];
}

export async function countStatements({ databases }: Place) {
  const client = new pg.Client({ connectionString: databases.service });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  await client.query('select pg_stat_statements_reset()');
  const before = await rowsByTable(client);
  return async (operations: number): Promise<Statements> => {
    await rowsAreCounted();
    const tables = perOperation(before, await rowsByTable(client), operations);
    const { rows } = await client.query(
      `select calls::float8 / $1 as calls, total_exec_time / $1 as "runningMs", rows::float8 / $1 as rows,
         left(regexp_replace(query, '\\s+', ' ', 'g'), 150) as text
       from pg_stat_statements
       where dbid = (select oid from pg_database where datname = current_database())
         and query !~ 'pg_stat_(statements|database)'
       order by calls desc`,
      [operations],
    );
    await client.end();
    const sum = (field: 'calls' | 'runningMs') => rows.reduce((all, row) => all + row[field], 0);
    return { calls: sum('calls'), runningMs: sum('runningMs'), each: rows, tables };
  };
}

async function rowsByTable(client: pg.Client): Promise<readonly TableCount[]> {
  const { rows } = await client.query(
    `select relname as table, n_tup_ins::float8 as inserted, n_tup_upd::float8 as updated, n_tup_del::float8 as deleted
     from pg_stat_user_tables`,
  );
  return rows;
}

/** Most rows first. */
function perOperation(
  before: readonly TableCount[],
  after: readonly TableCount[],
  operations: number,
): readonly TableCount[] {
  const sum = ({ inserted, updated, deleted }: TableCount) => inserted + updated + deleted;
  return after
    .map((now) => {
      const then = before.find(({ table }) => table === now.table);
      const since = (what: 'inserted' | 'updated' | 'deleted') =>
        (now[what] - (then?.[what] ?? 0)) / operations;
      const [inserted, updated, deleted] = [since('inserted'), since('updated'), since('deleted')];
      return { table: now.table, inserted, updated, deleted };
    })
    .sort((one, other) => sum(other) - sum(one));
}
