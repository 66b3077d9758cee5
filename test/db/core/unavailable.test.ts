/**
 * What counts as "PostgreSQL cannot be used just now" (503) and what as a defect (500). In a process of its own:
 * inside the test runner, errors of the runtime are of another realm and are wrapped on their way.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/postgres.ts';

const PROGRAM = fileURLToPath(new URL('./fixtures/provoke-errors.ts', import.meta.url));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

test('an error says that PostgreSQL is away, or that a statement is wrong, and never the one for the other', async () => {
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: database.url };
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
}, 90_000);
