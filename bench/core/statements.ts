/** Counts statements in the service's database, with pg_stat_statements. */
import pg from 'pg';
import type { Place } from './place.ts';

interface StatementCount {
  readonly calls: number;
  readonly runningMs: number;
  readonly rows: number;
  /** Its first words, normalised. */
  readonly text: string;
}

export interface Statements {
  /** Per operation. */
  readonly calls: number;
  readonly runningMs: number;
  readonly each: readonly StatementCount[];
}

export async function countStatements({ databases }: Place) {
  const client = new pg.Client({ connectionString: databases.service });
  await client.connect();
  await client.query('create extension if not exists pg_stat_statements');
  await client.query('select pg_stat_statements_reset()');
  return async (operations: number): Promise<Statements> => {
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
    return { calls: sum('calls'), runningMs: sum('runningMs'), each: rows };
  };
}
