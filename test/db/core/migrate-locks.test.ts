/** A migration that waits for a lock lets the running service pass. */
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../../db/core/migrate.ts';
import { eventually } from '../../support/core/eventually.ts';
import { migrateBefore } from '../../support/db/migrate-before.ts';
import { createEmptyDatabase } from '../../support/db/postgres.ts';

test('a forgotten transaction delays the migration of its table, and not the statements behind it', async () => {
  const database = await createEmptyDatabase();
  await migrateBefore(database.url, '0085');
  const [forgotten, service] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([forgotten.connect(), service.connect()]);
  try {
    await forgotten.query('begin; select from orphaned_charges');
    const migrated = migrate(database.url);
    await eventually(async () => {
      const { rows } = await service.query(`
        select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
      expect(rows).toHaveLength(1);
    }, 20_000);
    await service.query("set statement_timeout = '20s'");
    await service.query('select from orphaned_charges');
    await forgotten.query('commit');
    expect(await migrated).toContain('0085_return_deadline');
    await service.query('select return_deadline from orphaned_charges');
  } finally {
    await Promise.all([forgotten.end(), service.end()]);
    await database.drop();
  }
}, 90_000);
