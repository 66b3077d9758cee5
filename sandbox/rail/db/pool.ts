/** Connections to the rail's database. Instants are ISO 8601 strings in UTC with milliseconds. */
import pg from 'pg';

/** The pool or a transaction. */
export type Db = Pick<pg.ClientBase, 'query'>;
export type Pool = pg.Pool;

/** Lock time-out: the call had no effect and may be retried. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** The text contains a NUL character, which PostgreSQL cannot store. */
export const UNTRANSLATABLE = '22021';
const LOCK_TIMEOUT_MS = 2_000;
const TIMESTAMPTZ_OID = 1184;

export function openPool(databaseUrl: string, onError: (error: Error) => void): Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 10,
    connectionTimeoutMillis: 1_000 * Number(new URL(databaseUrl).searchParams.get('connect_timeout') ?? 3),
    statement_timeout: 10_000,
    types: { getTypeParser: (oid, format) => parserOf(oid) ?? pg.types.getTypeParser(oid, format) },
  });
  // When PostgreSQL restarts, each connection emits an error. The pool listens on idle connections only, and an error
  // without a listener ends the process: a transaction between two statements needs a listener too.
  pool.on('connect', (client) => client.on('error', onError));
  // The connection has reported this error already; the pool opens another connection.
  pool.on('error', () => {});
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

const names = new Map<string, string>();

/** Runs a statement under one name per text, so that PostgreSQL parses and plans it once per connection. */
export async function run<Row>(db: Db, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const name = names.get(text) ?? `rail_${names.size}`;
  names.set(text, name);
  const { rows } = await db.query({ name, text, values: [...values] });
  return rows as Row[];
}

export async function maybeOne<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row | null> {
  const rows = await run<Row>(db, text, values);
  if (rows.length > 1) throw new RangeError(`expected at most one row, got ${rows.length}`);
  return rows[0] ?? null;
}

export async function one<Row>(db: Db, text: string, values: readonly unknown[]): Promise<Row> {
  const row = await maybeOne<Row>(db, text, values);
  if (!row) throw new RangeError('expected one row, got none');
  return row;
}
