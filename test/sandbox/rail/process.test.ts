import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../../sandbox/rail/config.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createEmptyDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { BARE_ENV } from '../../support/stack/process.ts';
import { ACCOUNT, callsTo, cardDetails, credentials } from './running-rail.ts';

const MAIN = fileURLToPath(new URL('../../../sandbox/rail/main.ts', import.meta.url));

let database: TestDatabase;
let end: () => Promise<void> = async () => {};
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(async () => {
  await end();
  await database.drop();
});

/** The database does not exist: the rail creates it. */
function withoutDatabase(url: string): string {
  const other = new URL(url);
  other.pathname += '_made_by_the_rail';
  return other.href;
}

async function startMain(env: Record<string, string> = {}) {
  const port = await freePort();
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...BARE_ENV,
      RAIL_PORT: `${port}`,
      RAIL_DATABASE_URL: database.url,
      RAIL_ACCOUNTS: JSON.stringify([ACCOUNT]),
      LOG_LEVEL: 'trace',
      ...env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = once(child, 'exit');
  end = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const calls = callsTo(`http://127.0.0.1:${port}`);
  await eventually(async () => expect((await calls.get('/healthz')).status).toBe(200), 60_000);
  return { ...calls, child, exited, output: () => output };
}

test('the process creates its database, serves requests, and exits soon after SIGTERM', async () => {
  const made = withoutDatabase(database.url);
  const rail = await startMain({ RAIL_DATABASE_URL: made });
  expect((await rail.authorize('approved')).body.status).toBe('approved');
  const begunAt = performance.now();
  rail.child.kill('SIGTERM');
  const [code] = await rail.exited;
  expect(code).toBe(0);
  expect(performance.now() - begunAt).toBeLessThan(20_000);
});

test('the process exits when its standard input closes', async () => {
  const rail = await startMain({ EXIT_WITH_PARENT: '1' });
  rail.child.stdin.end();
  expect(await rail.exited).toEqual([1, null]);
});

test('the books survive a SIGKILL', async () => {
  const rail = await startMain();
  const { body } = await rail.authorize('approved');
  await end();
  const again = await startMain();
  expect((await again.lookup(body.reference)).body).toEqual(body);
  expect(await again.ledgerOf(body.reference)).toHaveLength(1);
});

test('the log has JSON lines without card numbers, tokens and secrets', async () => {
  const rail = await startMain();
  const token = await rail.token('approved');
  await rail.authorize('approved', { token });
  await rail.authorize('approved', { token, amount: 'free' });
  await rail.post('/tokens', { ...cardDetails('4539578763621486') });
  await rail.post('/tokens', { ...cardDetails('4242424242424242'), expMonth: 'x' });
  await rail.get('/v1/charges/x', credentials('-', 'a_secret_of_nobody_at_all'));
  rail.child.kill('SIGTERM');
  await rail.exited;
  const lines = rail.output().trim().split('\n');
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ name: 'sandbox-rail' });
  for (const secret of [
    ACCOUNT.secret,
    token,
    '4539578763621486',
    '4242424242424242',
    'a_secret_of_nobody',
  ]) {
    expect(rail.output()).not.toContain(secret);
  }
});

test.each([
  ['RAIL_DATABASE_URL', {}],
  ['RAIL_ACCOUNTS', { RAIL_DATABASE_URL: 'postgres://x/y', RAIL_ACCOUNTS: '[{"id":"a","secret":"hush"}]' }],
  ['RAIL_ACCOUNTS', { RAIL_DATABASE_URL: 'postgres://x/y', RAIL_ACCOUNTS: 'hush' }],
])('an invalid %s is reported without its value', (name, env) => {
  const read = () => readConfig(env);
  expect(read).toThrow(name);
  expect(read).not.toThrow('hush');
});
