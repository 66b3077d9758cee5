/**
 * Databases for tests: each has its own, a copy of a migrated template.
 * @reads bin/migrate.ts
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openPool, type Pool, type PoolOptions } from '../../../db/core/pool.ts';

/** Copies the files without writing them to the log: 60 ms of CPU time per database instead of 170. */
const QUICKLY = 'strategy file_copy';

export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** A database with the newest schema, as if installed now, and nothing else. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createDatabase(required('TEST_POSTGRES_TEMPLATE'));
  await execute(database.url, 'update heartbeats set at = now()');
  return database;
}

export interface OpenTestDatabase {
  readonly url: string;
  readonly pool: Pool;
  /** Closes the pool and drops the database. */
  close(): Promise<void>;
}

/** Like `createTestDatabase`, with a pool. */
export async function openTestDatabase(options: Omit<PoolOptions, 'url'> = {}): Promise<OpenTestDatabase> {
  const database = await createTestDatabase();
  const pool = await openPool({ ...options, url: database.url });
  return {
    url: database.url,
    pool,
    async close() {
      await pool.end();
      await database.drop();
    },
  };
}

/** An empty database. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

export interface Backup {
  /** Replaces the database under the same URL; its connections break. */
  restore(): Promise<void>;
  drop(): Promise<void>;
}

/** Copies a database. Its connections break, and pools reconnect. */
export async function backUp({ url }: { readonly url: string }): Promise<Backup> {
  const name = new URL(url).pathname.slice(1);
  const copy = `${name}_backup`;
  await asAdministrator(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    `create database ${copy} template ${name} ${QUICKLY}`,
  );
  return {
    restore: () =>
      asAdministrator(
        `drop database ${name} with (force)`,
        `create database ${name} template ${copy} ${QUICKLY}`,
      ),
    drop: () => asAdministrator(`drop database if exists ${copy} with (force)`),
  };
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await asAdministrator(`create database ${name} template ${template} ${QUICKLY}`);
  const url = new URL(required('TEST_POSTGRES_URL'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asAdministrator(`drop database if exists ${name} with (force)`) };
}

function asAdministrator(...statements: readonly string[]): Promise<void> {
  return execute(required('TEST_POSTGRES_URL'), ...statements);
}

async function execute(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: run the tests with "npm test".`);
  return value;
}
