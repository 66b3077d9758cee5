/** `npm start -- --rail stripe`: the required keys and the prepared account. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { prepareDatabase } from '../../../bin/prepare-database.ts';
import { useStripe } from '../../../bin/use-stripe.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { demoMerchants } from '../../../sandbox/stack/demo/demo-merchants.ts';
import type { Preparation } from '../../../sandbox/stack/stack.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { BARE_ENV } from '../../support/stack/process.ts';
import { type StripeDouble, startStripeDouble } from './double/server.ts';
import { newAccount } from './double/state.ts';
import { loadDescription } from './stripe-mock.ts';

const theirs = newAccount('demo');
const others = newAccount('other');
let database: TestDatabase;
let pool: Pool;
let double: StripeDouble;
let preparation: Preparation;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url, maxConnections: 1 });
  double = await startStripeDouble([theirs, others], await loadDescription());
  preparation = {
    databaseUrl: database.url,
    apiKeyPepper: randomBytes(32).toString('hex'),
    secretsKey: randomBytes(32).toString('base64'),
    merchants: Object.values(demoMerchants((_name, make) => make())),
    webhookUrl: 'http://127.0.0.1:9/webhooks',
  };
}, 300_000);
afterAll(async () => {
  await double?.close();
  await pool?.end();
  await database?.drop();
});

function keysOf({ secretKey, publishableKey, webhookSecret }: typeof theirs): NodeJS.ProcessEnv {
  return {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: double.url,
  };
}

function accountsOfShop() {
  const row = z.object({ rail: z.string(), status: z.string() });
  return pool.any(sql.type(row)`
    select rail, status from rail_accounts
    where merchant_id = ${preparation.merchants[0]?.id ?? ''} order by rail
  `);
}

function start(env: NodeJS.ProcessEnv): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const args = ['bin/start.ts', '--rail', 'stripe'];
    const child = execFile(process.execPath, args, { env: { ...BARE_ENV, ...env } }, (_error, out) => {
      resolve({ code: child.exitCode ?? -1, out });
    });
  });
}

describe('starting with Stripe', () => {
  test('without keys lists the missing keys and where to get them, and starts nothing', async () => {
    const { code, out } = await start({ STRIPE_SECRET_KEY: 'sk_test_1' });
    expect(code).toBe(2);
    expect(out).toContain('missing: STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET.');
    expect(out).toContain('https://dashboard.stripe.com/test/apikeys');
  });

  test('connects the shop to the account, repeatedly if needed, and back to the sandbox', async () => {
    await prepareDatabase(preparation);
    const id = await useStripe(preparation, keysOf(theirs));
    expect(await accountsOfShop()).toEqual([
      { rail: 'sandbox', status: 'disabled' },
      { rail: 'stripe', status: 'active' },
    ]);
    await prepareDatabase(preparation);
    expect(await useStripe(preparation, keysOf(theirs))).toBe(id);
    await prepareDatabase(preparation);
    expect(await accountsOfShop()).toEqual([
      { rail: 'sandbox', status: 'active' },
      { rail: 'stripe', status: 'disabled' },
    ]);
  });

  test('with the keys of another account explains how to start over', async () => {
    await prepareDatabase(preparation);
    await expect(useStripe(preparation, keysOf(others))).rejects.toThrow(
      /these keys belong to acct_other.*--fresh/s,
    );
  });

  test('reports an account that cannot take EUR', async () => {
    theirs.settings.takesEuros = false;
    await expect(useStripe(preparation, keysOf(theirs))).rejects.toThrow('It cannot take cards in EUR');
  });
});
