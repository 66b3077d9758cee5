/** `npm run ops` as an operator meets it: what it says when it is asked wrongly, and how to find an account's id. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../db/pool.ts';
import { answerResolveRequest } from '../../db/resolve-requests.ts';
import { PROJECT_DIR } from '../../sandbox/stack/places.ts';
import { eventually } from '../support/eventually.ts';
import {
  insertCheckout,
  insertMerchant,
  insertRailAccount,
  insertShop,
  TEST_SECRETS_KEY,
} from '../support/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { createTestNamespace } from '../support/temporal.ts';

let database: TestDatabase;
let pool: Pool;
let merchantId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url, maxConnections: 1 });
  merchantId = await insertMerchant(pool);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

/** In a folder where no `npm start` runs. */
async function ops(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'bin/ops.ts'), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, SECRETS_KEY: TEST_SECRETS_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number];
  return { code, out, err };
}

const storedRequests = sql.type(z.object({ id: z.string() }))`select id from resolve_requests`;
const set = (merchant: string, environment: string, rail: string) => [
  ...['rail', 'set', merchant, '--environment', environment, '--rail', rail],
];

describe('a command line that is not as the usage says', () => {
  test.each([
    [
      'without a merchant',
      ['rail', 'set', '--environment', 'sandbox', '--rail', 'stripe'],
      'Which merchant?',
    ],
    [
      'for an environment that is none',
      set('ap_mer_1', 'test', 'stripe'),
      '--environment is missing or wrong.',
    ],
    ['with an option that is none', ['rail', 'check', 'ap_rac_1', '--aply'], "Unknown option '--aply'"],
    ['with the id of something else', ['rail', 'check', 'ap_mer_1'], 'The id of a rail account is needed.'],
    ['that lists nobody', ['rail', 'list'], 'Which merchant?'],
    ['that settles nothing', ['resolve', '--outcome', 'failed'], 'What is to be settled?'],
    [
      'that settles without a reason',
      ['resolve', 'ap_chk_1', '--outcome', 'failed'],
      '--operator is missing or wrong.',
    ],
  ])('%s is told what is wrong and how it goes', async (_how, args, words) => {
    const { code, out, err } = await ops(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(words);
    expect(err).toContain(`npm run ops -- ${args[0]}`);
  });

  test('gets the whole help of a command when it asks', async () => {
    const { code, out } = await ops(['rail', 'set', '--help']);
    expect(code).toBe(0);
    expect(out).toContain('never from the command');
    expect(out).toContain('Exit code: 0 when the account can take money');
  });

  test.each([
    ['an unset database', { DATABASE_URL: '' }, 'Set DATABASE_URL'],
    ['a profile of Temporal that is not there', { TEMPORAL_PROFILE: 'cluod' }, "Profile 'cluod' not found"],
  ])('is told in one line what %s means', async (_what, env, words) => {
    const { code, err } = await ops(['rail', 'list', merchantId], env);
    expect(code).toBe(1);
    expect(err.trim().split('\n')).toEqual([expect.stringContaining(words)]);
  });
});

describe('resolve', () => {
  const request = ['--outcome', 'failed', '--operator', 'ada', '--reason', 'r', '--evidence', 'e'];

  test('of something that is not there says so, and stores nothing', async () => {
    const { code, out, err } = await ops(['resolve', 'ap_chk_nobody', ...request]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe('There is no session, subscription or refund ap_chk_nobody.\n');
    expect(await pool.any(storedRequests)).toEqual([]);
  });

  test('of a session whose workflow does not run stores it, says so, and waits for what the sweep does', async () => {
    const { address, namespace } = await createTestNamespace();
    const shop = await insertShop(pool);
    const { id } = await insertCheckout(pool, shop, shop.products.oneTime);
    const env = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    const asked = ops(['resolve', id, ...request, '--json'], env);
    const requestId = await eventually(() => pool.oneFirst(storedRequests), 30_000);
    await answerResolveRequest(pool, requestId, 'done: failed');
    const { code, out, err } = await asked;
    expect({ code, said: JSON.parse(out) }).toEqual({ code: 0, said: { requestId, answer: 'done: failed' } });
    expect(err).toContain('Its workflow does not run. The request is stored');
  });
});

describe('rail set', () => {
  test('for a merchant or a rail that is not there says so', async () => {
    const { code, err } = await ops(set('ap_mer_nobody', 'sandbox', 'stripe'), {
      PUBLIC_URL: 'https://pay.example',
    });
    expect({ code, err }).toEqual({ code: 1, err: 'There is no merchant ap_mer_nobody.\n' });
    const other = await ops(set(merchantId, 'sandbox', 'strip'));
    expect(other.err).toContain('There is no rail strip here; there are stripe.');
  });
});

describe('rail list', () => {
  test("shows a merchant's accounts, with the ids that other commands take, and no key", async () => {
    expect((await ops(['rail', 'list', merchantId])).out).toContain('has no account at a rail');
    const id = await insertRailAccount(pool, { merchantId, environment: 'sandbox' });
    const { code, out } = await ops(['rail', 'list', merchantId]);
    expect({ code, out }).toEqual({ code: 0, out: `${id}  sandbox  sandbox  active\n` });
    const { out: json } = await ops(['rail', 'list', merchantId, '--json']);
    expect(JSON.parse(json)).toEqual([expect.objectContaining({ id, status: 'active' })]);
    expect(json).not.toContain('credential');
  });
});
