/** A migration that waits for a lock does not block the running service, and a statement that is too slow is not repeated. */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../../db/core/migrate.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createEmptyDatabase } from '../../support/db/postgres.ts';

const ADDED = '9999_note';

test('an abandoned transaction delays the migration of its table, but not the service’s statements on that table', async () => {
  const database = await createEmptyDatabase();
  await migrate(database.url);
  const dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(join(PROJECT_DIR, 'db/migrations'), dir, { recursive: true });
  await writeFile(
    join(dir, `${ADDED}.sql`),
    '-- Up Migration\nalter table orphaned_charges add column note text;\n',
  );
  const [forgotten, service] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([forgotten.connect(), service.connect()]);
  try {
    await forgotten.query('begin; select from orphaned_charges');
    const migrated = migrate(database.url, undefined, dir);
    await eventually(async () => {
      const { rows } = await service.query(`
        select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      expect(rows).toHaveLength(1);
    });
    await service.query("set statement_timeout = '20s'");
    await service.query('select from orphaned_charges');
    await forgotten.query('commit');
    expect(await migrated).toContain(ADDED);
    await service.query('select note from orphaned_charges');
  } finally {
    await Promise.all([forgotten.end(), service.end()]);
    await database.drop();
    await rm(dir, { recursive: true });
  }
});

test('a migration that the role’s statement_timeout ends is not repeated', async () => {
  const database = await createEmptyDatabase();
  const dir = await mkdtemp(join(tmpdir(), 'migrations-'));
  await writeFile(join(dir, '0001_slow.sql'), '-- Up Migration\nselect pg_sleep(30);\n');
  try {
    const url = new URL(database.url);
    url.searchParams.set('options', '-c statement_timeout=1000');
    const said: string[] = [];
    const migrated = migrate(url.href, (line) => said.push(line), dir);
    await expect(migrated).rejects.toMatchObject({ code: '57014' });
    expect(said).toEqual([]);
  } finally {
    await database.drop();
    await rm(dir, { recursive: true });
  }
});
