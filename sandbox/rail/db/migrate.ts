/** Creates the rail's database if it is missing, and applies the numbered migrations. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
const DATABASE_MISSING = '3D000';
const DATABASE_EXISTS = '42P04';

export async function migrate(databaseUrl: string): Promise<void> {
  await ensureDatabase(databaseUrl);
  await runner({
    databaseUrl,
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    log: () => {},
  });
}

async function ensureDatabase(databaseUrl: string): Promise<void> {
  try {
    await withClient(databaseUrl, async () => {});
  } catch (error) {
    if (!hasCode(error, DATABASE_MISSING)) throw error;
    await createDatabase(databaseUrl);
  }
}

async function createDatabase(databaseUrl: string): Promise<void> {
  const administration = new URL(databaseUrl);
  const name = decodeURIComponent(administration.pathname.slice(1));
  administration.pathname = '/postgres';
  await withClient(administration.href, async (client) => {
    await client.query(`create database ${client.escapeIdentifier(name)}`).catch((error: unknown) => {
      if (!hasCode(error, DATABASE_EXISTS)) throw error;
    });
  });
}

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  // A lost connection makes the query fail; without this listener, its error would also end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
