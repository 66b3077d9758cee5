/** Statements are planned once per connection (db/core/name-statements.ts). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** Runs the calls on one connection, and counts the statements of this test that it has prepared. */
async function preparedAfter(
  options: { prepareStatements?: boolean },
  calls: (pool: Pool) => Promise<unknown>,
): Promise<number> {
  const pool = await openPool({ url: database.url, maxConnections: 1, ...options });
  try {
    await calls(pool);
    return await pool.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*) from pg_prepared_statements where statement like '%/* counted */%' and statement not like '%pg_prep%'
    `);
  } finally {
    await pool.end();
  }
}

const add = (pool: Pool, a: number, b: number) =>
  pool.oneFirst(sql.type(z.object({ sum: z.number() }))`select ${a}::int + ${b}::int as sum /* counted */`);

test('statements that differ only in values share one prepared statement, even in transactions', async () => {
  const sums: number[] = [];
  const count = await preparedAfter({}, async (pool) => {
    for (const a of [1, 2, 3]) sums.push(await add(pool, a, a));
    await pool.transaction((tx) => tx.query(sql.unsafe`select ${4}::int + ${4}::int as sum /* counted */`));
  });
  expect({ sums, count }).toEqual({ sums: [2, 4, 6], count: 1 });
});

test('no statement is prepared when prepared statements are disabled', async () => {
  expect(await preparedAfter({ prepareStatements: false }, (pool) => add(pool, 1, 2))).toBe(0);
});

test('at most a thousand statements are prepared, and other statements run unprepared', async () => {
  const count = await preparedAfter({}, async (pool) => {
    for (let each = 0; each < 1_010; each++) {
      const column = sql.identifier([`column_${each}`]);
      expect(await pool.oneFirst(sql.unsafe`select ${each}::int as ${column} /* counted */`)).toBe(each);
    }
  });
  expect(count).toBe(1_000);
});

test('a schema change between two runs of a statement is detected', async () => {
  const pool = await openPool({ url: database.url, maxConnections: 1 });
  try {
    const merchants = () => pool.any(sql.unsafe`select id from merchants`);
    await merchants();
    await pool.query(sql.unsafe`alter table merchants add column added text`);
    expect(await merchants()).toEqual([]);
  } finally {
    await pool.end();
  }
});
