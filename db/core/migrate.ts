/** Applies the numbered SQL files of `db/migrations` once each, under an advisory lock. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type MigrationBuilder, runner } from 'node-pg-migrate';
import pg from 'pg';
import { connectionOf } from './connection.ts';
import { errorCode } from './error-code.ts';
import { isDatabaseUnavailable } from './unavailable.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * A statement that waits for a table's lock (such as an `alter table` behind an abandoned transaction) blocks every
 * later statement on that table. It therefore times out, so that those can run, and is retried.
 */
const LOCK_TIMEOUT = '3s';
const LOCK_NOT_AVAILABLE = '55P03';
/** SQLSTATEs of a statement that timed out, a full disk and exhausted memory, after which a retry would fail too. */
const STAYS = new Set(['57014', '53100', '53200']);
const TRIES = 20;
const BETWEEN_TRIES_MS = 5_000;

/**
 * @param dir replaces the project's migrations @returns the names of the migrations applied by this run
 * @throws if PostgreSQL or a lock is unavailable for minutes: applied migrations stay, and the next run continues
 */
export async function migrate(
  databaseUrl: string,
  say: (line: string) => void = () => {},
  dir = MIGRATIONS,
): Promise<string[]> {
  const applied = new Set<string>();
  for (let tried = 1; ; tried += 1) {
    try {
      await apply(databaseUrl, dir, applied);
      return [...applied];
    } catch (error) {
      const code = errorCode(error);
      const isLocked = code === LOCK_NOT_AVAILABLE;
      const passes = isLocked || (isDatabaseUnavailable(error) && !STAYS.has(code));
      if (!passes || tried === TRIES) throw error;
      const what = isLocked
        ? 'A lock could not be obtained'
        : `PostgreSQL: ${(error as Error).message || code}`;
      say(`${what}: trying again in a few seconds.`);
      await pause(BETWEEN_TRIES_MS);
    }
  }
}

async function apply(databaseUrl: string, dir: string, applied: Set<string>): Promise<void> {
  // The runner neither waits until a connection that it opened is closed nor handles that connection's late errors.
  const client = new pg.Client(connectionOf(databaseUrl));
  client.on('error', () => {});
  try {
    await client.connect();
    await runner({
      dbClient: client,
      dir,
      direction: 'up',
      migrationsTable: 'schema_migrations',
      migrationLoaderStrategies: [
        {
          extensions: ['.sql'],
          loader: (paths) => Promise.all(paths.map((path) => load(path, applied))),
        },
      ],
      log() {},
    });
  } finally {
    await client.end();
  }
}

/**
 * A file is one transaction, unless it begins with "-- No transaction": then each paragraph is a separate statement.
 */
async function load(path: string, applied: Set<string>) {
  const text = await readFile(path, 'utf8');
  const up = (pgm: MigrationBuilder) => {
    applied.add(basename(path, '.sql'));
    if (!text.startsWith('-- No transaction\n')) {
      pgm.sql(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      return pgm.sql(text);
    }
    // No lock time-out: a concurrent build waits for other transactions and blocks none of them.
    pgm.noTransaction();
    for (const statement of text.trim().split(/\n{2,}/)) pgm.sql(statement);
  };
  return { id: path, filePaths: [path], actions: { up, down: false as const } };
}
