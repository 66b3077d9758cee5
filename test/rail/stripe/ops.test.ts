/** `npm run ops -- rail …` with keys from the environment or standard input. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { z } from 'zod';
import { railCheck } from '../../../bin/ops/rail/check.ts';
import { railSet } from '../../../bin/ops/rail/set.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { CURRENCIES } from '../../../domain/core/money.ts';
import { railCredentialOf } from '../../../platform/secrets/places.ts';
import type { Rail } from '../../../rail/rail.ts';
import { createStripeRail } from '../../../rail/stripe/index.ts';
import {
  insertMerchant,
  insertRailAccount,
  TEST_PEPPER,
  TEST_SECRETS_KEY,
  testSecretBox,
} from '../../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { BARE_ENV } from '../../support/stack/process.ts';
import { type StripeDouble, startStripeDouble } from './double/server.ts';
import { type DoubleAccount, newAccount } from './double/state.ts';
import { loadDescription } from './stripe-mock.ts';

let database: TestDatabase;
let pool: Pool;
let double: StripeDouble;
let rails: ReadonlyMap<string, Rail>;
let merchantId: string;
let theirs: DoubleAccount;
let others: DoubleAccount;
const known: DoubleAccount[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url });
  double = await startStripeDouble(known, await loadDescription());
  rails = new Map([
    ['stripe', createStripeRail({ apiUrl: double.url, fieldsUrl: 'https://fields.example' })],
  ]);
}, 300_000);
afterAll(async () => {
  await double?.close();
  await pool?.end();
  await database?.drop();
  expect(double.violations).toEqual([]);
});
beforeEach(async () => {
  merchantId = await insertMerchant(pool);
  theirs = newAccount('1Berlin');
  others = newAccount('1Paris');
  known.push(theirs, others);
});

const keysOf = ({ secretKey, publishableKey }: DoubleAccount) => ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_PUBLISHABLE_KEY: publishableKey,
});

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in this process; one test runs the real program. */
async function ops(
  [name = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input = '',
): Promise<Said> {
  const said = { out: '', err: '' };
  const listen = (to: 'out' | 'err') => (line: unknown) => {
    said[to] += `${line}\n`;
  };
  const out = jest.spyOn(console, 'log').mockImplementation(listen('out'));
  const err = jest.spyOn(console, 'error').mockImplementation(listen('err'));
  try {
    const code = await (name === 'set' ? railSet : railCheck).run(args, {
      pool,
      temporal: new Client(),
      session: { timings: { reconcileSeconds: [], reconcileLongSeconds: [1] } },
      links: { runbookUrl: 'docs/on-call.md' },
      processes: [],
      secondPersonAbove: null,
      actor: async () => 'operator:ada',
      rails: async () => rails,
      webhooks: { allowLoopback: true, timeoutMs: 2_000 },
      secretBox: () => testSecretBox,
      apiKeyPepper: () => TEST_PEPPER,
      env,
      input: Readable.from([input]),
    });
    return { code, ...said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

async function opsProcess(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Said> {
  const child = spawn(process.execPath, ['bin/ops.ts', 'rail', ...args], {
    env: {
      ...BARE_ENV,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      SECRETS_KEY: TEST_SECRETS_KEY,
      PUBLIC_URL: 'https://pay.example',
      STRIPE_API_URL: double.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await exited;
  return { code, out, err };
}

const set = (env: NodeJS.ProcessEnv, input?: string, ...more: string[]) =>
  ops(['set', merchantId, '--environment', 'sandbox', '--rail', 'stripe', ...more], env, input);

const accountRow = z.object({
  id: z.string(),
  rail: z.string(),
  status: z.string(),
  capabilities: z.object({
    recurring: z.boolean(),
    wallets: z.array(z.string()),
    currencies: z.array(z.string()),
  }),
  credential: z.instanceof(Buffer),
});
function stored() {
  return pool.any(sql.type(accountRow)`
    select id, rail, status, capabilities, credential from rail_accounts
    where merchant_id = ${merchantId} order by created_at
  `);
}

const keysIn = ({ id, credential }: { id: string; credential: Buffer }) =>
  JSON.parse(testSecretBox.open(credential, railCredentialOf(id)));
const onlyAccount = async () => {
  const [account, ...more] = await stored();
  if (!account || more.length > 0) throw new Error('expected one account');
  return account;
};

test('an operator sets up and checks an account from the command line', async () => {
  const args = ['set', merchantId, '--environment', 'sandbox', '--rail', 'stripe'];
  expect(await opsProcess(args, keysOf(theirs))).toMatchObject({ code: 0, err: '' });
  const { id } = await onlyAccount();
  expect(await opsProcess(['check', id], {})).toMatchObject({
    code: 0,
    out: expect.stringContaining('is active.'),
  });
});

describe('rail set', () => {
  test('probes the account, prints the findings, activates it and stores the keys encrypted', async () => {
    const { code, out, err } = await set(keysOf(theirs));
    expect(err).toBe('');
    expect(out).toMatch(/^ap_rac_\w+ \(stripe\) is active\.\n/);
    expect(out).toContain('+ The key belongs to the Stripe account acct_1Berlin (DE).');
    for (const currency of CURRENCIES) expect(out).toContain(`+ It can take cards in ${currency}.`);
    expect(out).toContain('+ It can store cards and charge them later without the buyer.');
    expect(out).toContain('- It has no webhook secret yet');
    expect(code).toBe(0);

    const account = await onlyAccount();
    expect(account).toMatchObject({
      status: 'active',
      capabilities: { recurring: true, currencies: CURRENCIES },
    });
    expect(account.credential.includes(theirs.secretKey)).toBe(false);
    expect(keysIn(account)).toEqual({
      secretKey: theirs.secretKey,
      publishableKey: theirs.publishableKey,
    });
    expect(out).not.toContain(theirs.secretKey);
  });

  test('leaves no payable intent and no customer at Stripe', async () => {
    await set(keysOf(theirs));
    const created = [...theirs.intents.values()].map(({ status }) => status);
    expect(created).toEqual(Array(CURRENCIES.length + 1).fill('canceled'));
    expect(theirs.customers.size).toBe(0);
    expect(theirs.ledger).toEqual([]);
  });

  test('accepts keys from standard input', async () => {
    expect((await set({}, JSON.stringify(keysOf(theirs)))).code).toBe(0);
    expect((await onlyAccount()).status).toBe('active');
  });

  test('without keys lists the required keys and changes nothing', async () => {
    const { code, err } = await set({});
    expect(code).toBe(2);
    expect(err).toContain('STRIPE_SECRET_KEY');
    expect(await stored()).toEqual([]);
  });

  test('leaves an account that cannot take EUR in status activating, and prints the reason', async () => {
    theirs.settings.takesEuros = false;
    const { code, out } = await set(keysOf(theirs));
    expect(code).toBe(1);
    expect(out).toContain('is activating.');
    expect(out).toContain('- It cannot take cards in EUR');
    expect(await onlyAccount()).toMatchObject({ status: 'activating', capabilities: { currencies: [] } });
  });

  test('leaves an account whose key may not create customers in status activating', async () => {
    theirs.settings.forbidden = ['customers'];
    const { code, out } = await set(keysOf(theirs));
    expect(code).toBe(1);
    expect(out).toContain('- It cannot take cards in EUR: creating a customer failed');
    expect((await onlyAccount()).status).toBe('activating');
  });

  test('rejects a key of the other mode without showing or storing it', async () => {
    const live = { ...keysOf(theirs), STRIPE_SECRET_KEY: theirs.secretKey.replace('test', 'live') };
    const { code, out, err } = await set(live);
    expect(code).toBe(1);
    expect(err).toContain('STRIPE_SECRET_KEY is not a test key, which sandbox needs.');
    expect(out + err).not.toContain(live.STRIPE_SECRET_KEY);
    expect(await stored()).toEqual([]);
  });

  test('adds a webhook secret to the stored keys', async () => {
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    theirs.settings.webhookUrls = [`https://pay.example/rails/stripe/${id}/webhooks`];
    const { code, out } = await set({ STRIPE_WEBHOOK_SECRET: theirs.webhookSecret });
    expect(code).toBe(0);
    expect(out).toContain('+ Its webhook endpoint sends every event that the service needs.');
    const credential = keysIn(await onlyAccount());
    expect(credential).toMatchObject({ secretKey: theirs.secretKey, webhookSecret: theirs.webhookSecret });
  });

  test('with new keys reactivates a disabled account', async () => {
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    await pool.query(sql.unsafe`update rail_accounts set status = 'disabled' where id = ${id}`);
    expect((await set(keysOf(theirs))).code).toBe(0);
    expect(await onlyAccount()).toMatchObject({ id, status: 'active' });
  });

  test("rejects another account's keys, because they could not look up open payments", async () => {
    await set(keysOf(theirs));
    const { code, err } = await set(keysOf(others));
    expect(code).toBe(1);
    expect(err).toContain('these keys belong to acct_1Paris');
    expect(keysIn(await onlyAccount()).secretKey).toBe(theirs.secretKey);
  });

  test('with --replace keeps the old account, disabled, with its keys', async () => {
    await set(keysOf(theirs));
    expect((await set(keysOf(others), '', '--replace')).code).toBe(0);
    const [old, now] = await stored();
    expect(old).toMatchObject({ status: 'disabled' });
    expect(now).toMatchObject({ status: 'active' });
    expect(old && keysIn(old).secretKey).toBe(theirs.secretKey);
  });

  test('moves to another rail only with --replace', async () => {
    await insertRailAccount(pool, { merchantId, environment: 'sandbox' });
    const { code, err } = await set(keysOf(theirs));
    expect(code).toBe(1);
    expect(err).toContain('(--replace)');
    expect((await set(keysOf(theirs), '', '--replace')).code).toBe(0);
    expect((await stored()).map(({ rail, status }) => `${rail} ${status}`)).toEqual([
      'sandbox disabled',
      'stripe active',
    ]);
  });

  test('is audited without the keys', async () => {
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    const row = z.object({ actor: z.string(), action: z.string(), after: z.unknown() });
    const entries = await pool.any(sql.type(row)`
      select actor, action, after from audit_log where subject_id = ${id}
    `);
    expect(entries).toEqual([
      {
        actor: expect.stringMatching(/^operator:/),
        action: 'rail_account.set',
        after: expect.objectContaining({ status: 'active', identity: 'acct_1Berlin' }),
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(theirs.secretKey);
  });
});

describe('rail check', () => {
  test('activates an account that can now take EUR', async () => {
    theirs.settings.takesEuros = false;
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    expect(await ops(['check', id])).toMatchObject({
      code: 1,
      out: expect.stringContaining('is activating.'),
    });
    theirs.settings.takesEuros = true;
    expect(await ops(['check', id])).toMatchObject({ code: 0, out: expect.stringContaining('is active.') });
    expect(await onlyAccount()).toMatchObject({ status: 'active', capabilities: { currencies: CURRENCIES } });
  });

  test('reports changed capabilities, and stores them only with --apply', async () => {
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    theirs.settings.wallets = ['apple_pay', 'google_pay'];
    const unregistered = await ops(['check', id]);
    expect(unregistered.out).toContain(
      '- Apple Pay is switched on, but fields.example is not registered for it',
    );
    theirs.settings.domains = ['fields.example'];
    theirs.settings.storesCards = false;
    const { code, out } = await ops(['check', id]);
    expect(code).toBe(0);
    expect(out).toContain('+ It can take Google Pay.');
    expect(out).toContain('- It cannot store cards');
    expect((await onlyAccount()).capabilities).toMatchObject({ recurring: true, wallets: [] });
    await ops(['check', id, '--apply']);
    expect((await onlyAccount()).capabilities).toMatchObject({
      recurring: false,
      wallets: ['apple_pay', 'google_pay'],
    });
  });

  test('reports a revoked key and changes nothing', async () => {
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    theirs.enabled = false;
    const { code, out } = await ops(['check', id]);
    expect(code).toBe(1);
    expect(out).toContain('- The account could not be queried: the key is wrong or lacks the permission.');
    expect((await onlyAccount()).status).toBe('active');
  });

  test('prints the command that enables an account which its processor accepts again', async () => {
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    await pool.query(sql.unsafe`update rail_accounts set status = 'disabled' where id = ${id}`);
    const { code, out } = await ops(['check', id]);
    expect(code).toBe(1);
    expect(out).toContain(`To reactivate it, run "npm run ops -- rail check ${id} --apply".`);
    expect(await ops(['check', id, '--apply'])).toMatchObject({ code: 0 });
    expect((await onlyAccount()).status).toBe('active');
  });

  test('prints JSON with --json, and exits with 1 for an unknown account', async () => {
    await set(keysOf(theirs));
    const { id } = await onlyAccount();
    const { out } = await ops(['check', id, '--json']);
    expect(JSON.parse(out)).toMatchObject({ accountId: id, status: 'active', usable: true });
    expect((await ops(['check', 'ap_rac_none'])).code).toBe(1);
  });
});
