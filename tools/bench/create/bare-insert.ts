/** An insert as large as a session's, with no other work: one table, one key, one prepared statement. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createBenchDatabase } from '../core/bench-database.ts';
import type { Place } from '../core/place.ts';

/** As many as the API opens by default. */
const CONNECTIONS = 10;
/** Size of a session with its customer, in bytes. */
const ROW_SIZE = 1_500;

export async function openBareInsert(place: Place) {
  const pool = new pg.Pool({ connectionString: await createBenchDatabase(place), max: CONNECTIONS });
  await pool.query('create table bare (id uuid primary key, content jsonb not null)');
  const content = JSON.stringify({ terms: 'x'.repeat(ROW_SIZE) });
  return {
    async insert(): Promise<void> {
      const values = [randomUUID(), content];
      await pool.query({ name: 'bare', text: 'insert into bare (id, content) values ($1, $2)', values });
    },
    end: () => pool.end(),
  };
}
