/**
 * The connection pool. Rows are checked against their zod schema; instants arrive as ISO 8601 strings in UTC with
 * milliseconds, `int8` and `numeric` as numbers.
 */
import { createPgDriverFactory } from '@slonik/pg-driver';
import {
  type CommonQueryMethods,
  createPool,
  createSqlTag,
  type DatabasePool,
  type DatabaseTransactionConnection,
  type Interceptor,
  SchemaValidationError,
} from 'slonik';
import { z } from 'zod';
import { connectionOf } from './connection.ts';
import { onFirstUse, primaryOnly } from './driver.ts';
import { nameStatements } from './name-statements.ts';

export type Pool = DatabasePool;
/** The pool or a transaction. */
export type Db = CommonQueryMethods;
export type Transaction = DatabaseTransactionConnection;

/** `void` is for statements whose rows are not used. */
export const sql = createSqlTag({ typeAliases: { void: z.object({}) } });
export type Fragment = ReturnType<typeof sql.fragment>;

/** The properties of a row are named like its columns, unless the row is used as a domain object (`camelCased`). */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type CamelCased<Row> = { [Column in keyof Row as Camel<Column & string>]: Row[Column] };

/**
 * @returns the schema of a row with `merchant_id` renamed to `merchantId` and so on; JSON inside a column is
 * unchanged
 */
export function camelCased<Columns extends z.ZodRawShape>(columns: Columns) {
  const names = Object.keys(columns).map((column) => [column, camel(column)] as const);
  return z.object(columns).transform((row) => {
    const values: Record<string, unknown> = row;
    const named = Object.fromEntries(names.map(([column, name]) => [name, values[column]]));
    return named as CamelCased<typeof row>;
  });
}

function camel(column: string): string {
  return column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections?: number;
  /** PostgreSQL cancels longer statements. */
  readonly statementTimeoutMs?: number;
  /** False behind a pooler in transaction mode that does not track prepared statements. */
  readonly prepareStatements?: boolean;
  /** If true, a standby may serve reads; otherwise, a server in recovery is rejected. */
  readonly readsStandby?: boolean;
}

/** Connects on first use, so that processes start while PostgreSQL is unreachable. */
export async function openPool({
  url,
  maxConnections = 10,
  statementTimeoutMs = 10_000,
  prepareStatements = true,
  readsStandby = false,
}: PoolOptions): Promise<Pool> {
  const { connectionString, ssl, connectionTimeoutMillis } = connectionOf(url);
  const driver = onFirstUse(createPgDriverFactory(), connectionTimeoutMillis);
  const pool = await createPool(connectionString, {
    ...(ssl && { ssl }),
    driverFactory: readsStandby ? driver : primaryOnly(driver),
    captureStackTrace: false,
    maxPoolSize: maxConnections,
    connectionTimeout: connectionTimeoutMillis,
    connectionRetryLimit: 1,
    idleTimeout: 30_000,
    idleInTransactionSessionTimeout: 30_000,
    statementTimeout: statementTimeoutMs,
    // Statements leave no session state behind; the default DISCARD ALL would cost a round trip per release.
    resetConnection: async () => {},
    interceptors: [...(prepareStatements ? [nameStatements()] : []), rowsMatchTheirSchema],
    typeParsers: [
      { name: 'timestamptz', parse: (value) => (value === null ? null : toIsoInstant(value)) },
      { name: 'int8', parse: (value) => (value === null ? null : toSafeInteger(value)) },
      { name: 'numeric', parse: (value) => (value === null ? null : Number(value)) },
    ],
  });
  // A failing statement throws anyway; without this listener, the emitter would throw the error again.
  pool.on('error', () => {});
  return pool;
}

const rowsMatchTheirSchema: Interceptor = {
  name: 'rows-match-their-schema',
  transformRow: ({ resultParser }, query, row) => {
    const result = resultParser?.['~standard'].validate(row);
    if (result === undefined || result instanceof Promise) return row;
    if (result.issues) throw new SchemaValidationError(query, row, result.issues);
    return result.value as typeof row;
  },
};

/** PostgreSQL's text of an instant in a session in UTC, as `2026-11-22 09:30:00.123456+00`. */
const UTC_INSTANT = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** Does not use `Date`, which takes four times as long to parse and format. */
function toIsoInstant(value: string): string {
  const [, day, time, fraction = ''] = UTC_INSTANT.exec(value) ?? [];
  if (day) return `${day}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  return value.endsWith('infinity') ? value : new Date(value).toISOString();
}

function toSafeInteger(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`int8 beyond 2^53: ${value}`);
  return number;
}

/** The current time by the database's clock (rule 19). */
export function readClock(db: Db): Promise<string> {
  return db.oneFirst(sql.type(z.object({ now: z.string() }))`select service_clock() as now`);
}
