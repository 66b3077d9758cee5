/**
 * Rows and pages read by statements, by `explain (analyze, buffers)` in a transaction that is rolled back.
 */
import type pg from 'pg';
import type { Db } from '../../../db/core/pool.ts';

export interface Explained {
  readonly ms: number;
  /** Rows examined by scans, returned or not. */
  readonly rowsRead: number;
  /** Pages of 8 kB. */
  readonly pages: number;
  /** Tables of more than a thousand rows that were scanned sequentially, with their row counts. */
  readonly sequential: readonly string[];
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Adds up the plans of the statements that `ask` sends. Explains each statement, rolls back, then runs it, so
 * that later statements, such as the deletes of found rows, see its rows. Everything is rolled back at the
 * end.
 */
export async function explain(client: pg.ClientBase, ask: (db: Db) => Promise<unknown>): Promise<Explained> {
  const all: Explained[] = [];
  await client.query('begin');
  try {
    await ask(explaining(client, all));
  } finally {
    await client.query('rollback');
  }
  const sum = (pick: (one: Explained) => number) => all.reduce((so_far, one) => so_far + pick(one), 0);
  return {
    ms: sum(({ ms }) => ms),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    pages: sum(({ pages }) => pages),
    sequential: all.flatMap(({ sequential }) => sequential),
  };
}

/** Stands in for the pool: explains each statement that it is given. */
function explaining(client: pg.ClientBase, all: Explained[]): Db {
  const run =
    <Answer>(answer: (result: pg.QueryResult) => Answer) =>
    async ({ sql, values }: Statement) => {
      // slonik numbers its placeholders in the last step before it sends a statement.
      const statement = { sql: sql.replaceAll('$slonik_', '$'), values };
      all.push(await explainOne(client, statement));
      return answer(await client.query(statement.sql, [...values]));
    };
  const first = (row: object | undefined) => (row ? Object.values(row)[0] : null);
  const methods = {
    any: run(({ rows }) => rows),
    anyFirst: run(({ rows }) => rows.map(first)),
    many: run(({ rows }) => rows),
    maybeOne: run(({ rows }) => rows[0] ?? null),
    maybeOneFirst: run(({ rows }) => first(rows[0])),
    one: run(({ rows }) => rows[0]),
    oneFirst: run(({ rows }) => first(rows[0])),
    exists: run(({ rows }) => rows.length > 0),
    query: run(({ rows, rowCount }) => ({ rows, rowCount: rowCount ?? 0 })),
    transaction: (work: (tx: unknown) => Promise<unknown>) => work(methods),
  };
  return methods as unknown as Db;
}

async function explainOne(client: pg.ClientBase, { sql, values }: Statement): Promise<Explained> {
  await client.query('savepoint explained');
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [...values]);
  await client.query('rollback to savepoint explained');
  const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN'];
  const nodes = nodesOf(plan);
  return {
    ms,
    rowsRead: nodes.reduce((sum, node) => sum + rowsReadBy(node), 0),
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    sequential: nodes
      .filter((node) => node['Node Type'].endsWith('Seq Scan') && rowsReadBy(node) > 1_000)
      .map((node) => `${node['Relation Name']} (${rowsReadBy(node)} rows)`),
  };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function rowsReadBy(node: PlanNode): number {
  if (!node['Relation Name'] || node['Node Type'] === 'ModifyTable') return 0;
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round((node['Actual Rows'] + dropped) * node['Actual Loops']);
}
