/** What statements read, by `explain (analyze, buffers)` in a transaction that is rolled back. */
import type pg from 'pg';
import type { Db } from '../../db/core/pool.ts';

export interface Explained {
  readonly ms: number;
  /** Rows that scans looked at, shown or not. */
  readonly rowsRead: number;
  /** Pages of 8 kB. */
  readonly pages: number;
  /** Tables of more than a thousand rows that were read from end to end, with their rows. */
  readonly sequential: readonly string[];
}

interface Statement {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/** Each statement that `ask` sends, added up. The statements themselves do not run for `ask`: it gets no rows. */
export async function explain(client: pg.ClientBase, ask: (db: Db) => Promise<unknown>): Promise<Explained> {
  const sent: Statement[] = [];
  await ask(recorder(sent)).catch((error: unknown) => {
    if (sent.length === 0) throw error;
  });
  const all: Explained[] = [];
  for (const statement of sent) all.push(await explainOne(client, statement));
  const sum = (pick: (one: Explained) => number) => all.reduce((so_far, one) => so_far + pick(one), 0);
  return {
    ms: sum(({ ms }) => ms),
    rowsRead: sum(({ rowsRead }) => rowsRead),
    pages: sum(({ pages }) => pages),
    sequential: all.flatMap(({ sequential }) => sequential),
  };
}

/** Takes statements in place of the pool, and answers each with nothing. */
function recorder(sent: Statement[]): Db {
  const note =
    <Answer>(answer: Answer) =>
    async ({ sql, values }: Statement) => {
      // slonik numbers its placeholders in the last step before it sends a statement.
      sent.push({ sql: sql.replaceAll('$slonik_', '$'), values });
      return answer;
    };
  const methods = {
    any: note([]),
    anyFirst: note([]),
    many: note([]),
    maybeOne: note(null),
    maybeOneFirst: note(null),
    one: note({}),
    oneFirst: note(0),
    exists: note(false),
    query: note({ rowCount: 0, rows: [] }),
    transaction: (work: (tx: unknown) => Promise<unknown>) => work(methods),
  };
  return methods as unknown as Db;
}

async function explainOne(client: pg.ClientBase, { sql, values }: Statement): Promise<Explained> {
  await client.query('begin');
  try {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, [...values]);
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
  } finally {
    await client.query('rollback');
  }
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
