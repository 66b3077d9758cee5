/** Values as the pool returns them (db/core/pool.ts). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url, maxConnections: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

test.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata'])(
  'instants are ISO 8601 in UTC with milliseconds, from a session in %s',
  async (zone) => {
    await pool.query(sql.unsafe`select set_config('timezone', ${zone}, false)`);
    const given = [
      ['2026-11-22 09:30:00+00', '2026-11-22T09:30:00.000Z'],
      ['2026-11-22 09:30:00.5+00', '2026-11-22T09:30:00.500Z'],
      ['2026-11-22 09:30:00.012345+00', '2026-11-22T09:30:00.012Z'],
      ['2026-12-31 23:59:59.999999+00', '2026-12-31T23:59:59.999Z'],
      ['2026-07-01 00:00:00.12+02', '2026-06-30T22:00:00.120Z'],
      ['infinity', 'infinity'],
    ] as const;
    const texts = given.map(([text]) => text);
    const read = await pool.anyFirst(sql.type(z.object({ at: z.string() }))`
      select text::timestamptz as at from unnest(${sql.array(texts, 'text')}) with ordinality as t (text, n) order by n
    `);
    expect(read).toEqual(given.map(([, iso]) => iso));
  },
);
