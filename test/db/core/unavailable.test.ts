/**
 * Distinguishes an unavailable PostgreSQL (503) from a defect (500). Runs in a separate process: in the test
 * runner, runtime errors come from another realm and arrive wrapped.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

const PROGRAM = fileURLToPath(new URL('./fixtures/provoke-errors.ts', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

test('an unavailable PostgreSQL and an invalid statement are never mistaken for each other', async () => {
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: database.url.replace(/\?.*/, '') };
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env, timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual({
    'nobody listens': true,
    'the name leads nowhere': true,
    'the server never speaks': true,
    'no connection is left': true,
    'the connection is ended': true,
    'the connection of a transaction is ended': true,
    'the statement takes too long': true,
    'the transaction waits too long': true,
    'a syntax error': false,
    'a missing table': false,
    'a violated constraint': false,
    'a value that is none': false,
    'a missing row': false,
  });
});
