/** The connection to the rail's own database. Instants come as ISO 8601 strings in UTC with milliseconds. */
import pg from 'pg';

/** Anything that can run a query: the pool, or a transaction's connection. */
export type Db = Pick<pg.ClientBase, 'query'>;
export type Pool = pg.Pool;

/** PostgreSQL waited too long for a lock that another call holds: nothing happened, ask again. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** A text has a NUL character, which PostgreSQL cannot hold. */
export const UNTRANSLATABLE = '22021';
const LOCK_TIMEOUT_MS = 2_000;
const TIMESTAMPTZ_OID = 1184;

export function openPool(databaseUrl: string, onError: (error: Error) => void): Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 10_000,
    types: { getTypeParser: (oid, format) => parserOf(oid) ?? pg.types.getTypeParser(oid, format) },
  });
  // An idle connection that PostgreSQL closed (a restart): the pool opens another.
  pool.on('error', onError);
  return pool;
}

function parserOf(oid: number) {
  return oid === TIMESTAMPTZ_OID ? (value: string) => new Date(value).toISOString() : undefined;
}

export async function inTransaction<Result>(pool: Pool, work: (db: Db) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

export async function any<Row>(db: Db, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const { rows } = await db.query(text, [...values]);
  return rows as Row[];
}

export async function maybeOne<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row | null> {
  const rows = await any<Row>(db, text, values);
  if (rows.length > 1) throw new RangeError(`at most one row was expected, ${rows.length} came`);
  return rows[0] ?? null;
}

export async function one<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row> {
  const row = await maybeOne<Row>(db, text, values);
  if (!row) throw new RangeError('one row was expected, none came');
  return row;
}
