/** Locks a charge's row, so that concurrent calls queue in a known order. */
import pg from 'pg';
import { eventually } from '../../support/core/eventually.ts';

/** @returns a function that releases the lock */
export async function holdCharge(databaseUrl: string, reference: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select from charges where reference = $1 for update', [reference]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

/** Waits until `count` connections wait for a lock. */
export async function untilWaiting(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await eventually(async () => {
      const { rows } = await client.query(
        `select count(*)::integer as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      if (rows[0].waiting < count) throw new Error(`${rows[0].waiting} of ${count} are waiting`);
    });
  } finally {
    await client.end();
  }
}
