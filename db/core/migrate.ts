/** Applies the numbered SQL files of `db/migrations` once each, under an advisory lock. */
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { connectionOf } from './connection.ts';

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url));

/** @returns the names of the migrations applied by this run */
export async function migrate(
  databaseUrl: string,
  log: (line: string) => void = () => {},
): Promise<string[]> {
  const applied = await runner({
    databaseUrl: connectionOf(databaseUrl),
    dir: MIGRATIONS,
    direction: 'up',
    migrationsTable: 'schema_migrations',
    log,
  });
  return applied.map(({ name }) => name);
}
