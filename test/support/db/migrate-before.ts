import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate } from '../../../db/core/migrate.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../db/migrations', import.meta.url));

/** The schema of an earlier release. @param first the number of the first migration that it lacks */
export async function migrateBefore(databaseUrl: string, first: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  for (const name of await readdir(MIGRATIONS)) {
    if (name < first) await symlink(join(MIGRATIONS, name), join(dir, name));
  }
  await migrate(databaseUrl, undefined, dir);
  await rm(dir, { recursive: true });
}
