/** Logs of PostgreSQL errors contain names from the schema, never values. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refusingObject } from '../../../db/core/error-code.ts';
import { sql } from '../../../db/core/pool.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

const errorOf = (query: Parameters<typeof database.pool.query>[0]) =>
  database.pool.query(query).then(
    () => null,
    (error: unknown) => error,
  );

test('a rejected row is identified by its table and constraint, without its values', async () => {
  const refused = await errorOf(
    sql.unsafe`insert into merchants (name, status) values ('Ada Lovelace', 'gone')`,
  );
  expect(refusingObject(refused)).toEqual({ table: 'merchants', constraint: 'merchants_status_check' });
  const missing = await errorOf(sql.unsafe`insert into merchants (name) values (null)`);
  expect(refusingObject(missing)).toEqual({ table: 'merchants', column: 'name' });
});

test('an error without a table adds nothing to the log', async () => {
  expect(refusingObject(await errorOf(sql.unsafe`select 1 / 0`))).toEqual({});
  expect(refusingObject(new Error('x', { cause: null }))).toEqual({});
  expect(refusingObject('x')).toEqual({});
});
