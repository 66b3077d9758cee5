/** Applies the numbered SQL files of `db/migrations` once each, under an advisory lock. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type MigrationBuilder, runner } from 'node-pg-migrate';
import { connectionOf } from './connection.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * @param dir replaces the project's migrations @returns the names of the migrations applied by this run
 */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => {},
  dir = MIGRATIONS,
): Promise<string[]> {
  const applied = await runner({
    databaseUrl: connectionOf(databaseUrl),
    dir,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    migrationLoaderStrategies: [{ extensions: ['.sql'], loader: (paths) => Promise.all(paths.map(load)) }],
    log,
  });
  return applied.map(({ name }) => name);
}

/**
 * A file is one transaction, unless it begins with "-- No transaction": then each paragraph is a statement of its own.
 */
async function load(path: string) {
  const text = await readFile(path, 'utf8');
  const up = (pgm: MigrationBuilder) => {
    if (!text.startsWith('-- No transaction\n')) return pgm.sql(text);
    pgm.noTransaction();
    for (const statement of text.trim().split(/\n{2,}/)) pgm.sql(statement);
  };
  return { id: path, filePaths: [path], actions: { up, down: false as const } };
}
