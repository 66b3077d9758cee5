/** `npm run ops -- rotate-secrets-key` as a process, on every encrypted column. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { SEALED_COLUMNS } from '../../db/core/encrypted-values.ts';
import { pinAnswer } from '../../db/core/idempotency.ts';
import { openPool, type Pool, sql } from '../../db/core/pool.ts';
import { findSession } from '../../db/session/read/find-session.ts';
import { renewPeriod } from '../../db/subscription/renew-subscription.ts';
import { SecretBox } from '../../platform/secrets/encryption.ts';
import { createPageToken } from '../../platform/secrets/page-token.ts';
import { sealAnswer } from '../../platform/secrets/pinned-answer.ts';
import {
  mandateOf,
  pinnedAnswerOf,
  railCredentialOf,
  webhookSecretOf,
} from '../../platform/secrets/places.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { eventually } from '../support/core/eventually.ts';
import { click } from '../support/db/attempts.ts';
import {
  insertSession,
  insertShop,
  type Shop,
  TEST_SECRETS_KEY,
  testSecretBox,
} from '../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../support/db/postgres.ts';
import { insertSubscription } from '../support/db/subscriptions.ts';
import { createEndpoint } from '../support/db/webhooks.ts';

const NEW_KEY = randomBytes(32).toString('base64');
const newBox = new SecretBox(NEW_KEY);
const KEYS = { SECRETS_KEY: NEW_KEY, SECRETS_FORMER_KEYS: TEST_SECRETS_KEY };
let database: TestDatabase;
let pool: Pool;
let shop: Shop;
let endpointId: string;
let subscriptionId: string;
let pageToken: string;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url });
  shop = await insertShop(pool);
  ({ id: endpointId } = await createEndpoint(pool, shop));
  await pool.query(sql.unsafe`update webhook_endpoints set previous_secret = secret`);
  subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const token = createPageToken(testSecretBox, 'ap_chk_');
  const { id } = await insertSession(pool, shop, shop.products.oneTime, { pageToken: token });
  await click(pool, id);
  pageToken = testSecretBox.open(token.sealed, {
    table: 'checkouts',
    column: 'page_token',
    row: token.hash.toString('hex'),
  });
  await pinSealedAnswer('a', 'key 1');
});
afterEach(async () => {
  await pool?.end();
  await database?.drop();
});

async function pinSealedAnswer(scope: string, key: string): Promise<void> {
  await pool.query(sql.unsafe`
    insert into idempotency_keys (scope, key, method, path, body_hash, lease_until)
    values (${scope}, ${key}, 'POST', '/', ${sql.binary(Buffer.alloc(32))}, service_clock())`);
  const answer = { status: 201, body: 'the body', requestId: 'r', flowId: null };
  await pinAnswer(
    pool,
    { scope, key, movesMoney: false },
    sealAnswer(testSecretBox, answer, pinnedAnswerOf(scope, key)),
  );
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = KEYS) {
  return spawn(process.execPath, [join(PROJECT_DIR, 'bin/ops.ts'), 'rotate-secrets-key', ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, DATABASE_URL: database.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function rotate(args: readonly string[], env: NodeJS.ProcessEnv = KEYS) {
  const child = start(args, env);
  const exited = once(child, 'exit');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await exited) as [number];
  return { code, out, err };
}

/** Number of values in each column that are not encrypted under the new key. */
async function left(): Promise<Record<string, number>> {
  const counts = Object.entries(SEALED_COLUMNS).map(
    async ([name, column]) => [name, await column.count(pool, newBox.header)] as const,
  );
  return Object.fromEntries(await Promise.all(counts));
}

const stored = z.object({
  credential: z.instanceof(Buffer),
  secret: z.instanceof(Buffer),
  mandate: z.instanceof(Buffer),
  customer_id: z.string(),
  previous: z.instanceof(Buffer),
});
async function expectOpenWith(box: SecretBox): Promise<void> {
  const row = await pool.one(sql.type(stored)`
    select a.credential, e.secret, s.credential_secret_ref as mandate, s.customer_id,
      e.previous_secret as previous
    from subscriptions s, webhook_endpoints e, rail_accounts a
    where s.id = ${subscriptionId} and e.id = ${endpointId} and a.id = s.rail_account_id`);
  expect(box.open(row.mandate, mandateOf(row.customer_id))).toBe('mandate-1');
  expect(box.open(row.previous, webhookSecretOf(endpointId))).toBe(
    box.open(row.secret, webhookSecretOf(endpointId)),
  );
  expect(box.open(row.secret, webhookSecretOf(endpointId))).toMatch(/^whsec_/);
  expect(JSON.parse(box.open(row.credential, railCredentialOf(shop.railAccountId)))).toBeDefined();
}

test('every encrypted column is re-encrypted, and stays readable throughout', async () => {
  const before = await left();
  for (const count of Object.values(before)) expect(count).toBeGreaterThan(0);
  const both = new SecretBox(NEW_KEY, { formerKeys: [TEST_SECRETS_KEY] });
  await expectOpenWith(both);
  const { code, out, err } = await rotate(['--yes', '--json']);
  expect(err).toBe('');
  expect(code).toBe(0);
  const sealed = Object.values(before).reduce((sum, count) => sum + count);
  expect(JSON.parse(out)).toEqual({ sealed, left: 0, failed: [] });
  await expectOpenWith(newBox);
  expect(await findSession(pool, pageToken)).not.toBeNull();
  expect(await rotate(['--yes'])).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is left') });
  const audited = sql.unsafe`select subject_id, after from audit_log where action = 'secrets_key.rotate'`;
  expect(await pool.any(audited)).toEqual([{ subject_id: 'SECRETS_KEY', after: { left: sealed } }]);
});

test('an open charge keeps the mandate of its subscription', async () => {
  await pool.query(sql.unsafe`
    update subscriptions set billing_anchor = service_clock() - interval '1 year',
      current_period_start = service_clock() - interval '1 year', current_period_end = service_clock(),
      next_action_at = service_clock() where id = ${subscriptionId}`);
  await renewPeriod(pool, subscriptionId);
  expect(await rotate(['--yes'])).toMatchObject({ code: 0 });
  const { charge, mandate, customer } = await pool.one(
    sql.type(z.object({ charge: z.instanceof(Buffer), mandate: z.instanceof(Buffer), customer: z.string() }))`
      select p.credential_secret_ref as charge, s.credential_secret_ref as mandate, s.customer_id as customer
      from payments p join invoices i on i.id = p.invoice_id join subscriptions s on s.id = i.subscription_id
      where s.id = ${subscriptionId} and p.status = 'processing'`,
  );
  expect(charge.equals(mandate)).toBe(true);
  expect(newBox.open(charge, mandateOf(customer))).toBe('mandate-1');
});

test('a run that is killed half-way is resumed by the next run', async () => {
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = pool.transaction(async (tx) => {
    await tx.query(sql.unsafe`select from checkouts for update`);
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const child = start(['--yes']);
  const exited = once(child, 'exit');
  const rotated = async () => expect((await left())['clicks.method_token']).toBe(0);
  await eventually(rotated, 60_000);
  child.kill('SIGKILL');
  await exited;
  held.resolve();
  await holding;
  await expectOpenWith(new SecretBox(NEW_KEY, { formerKeys: [TEST_SECRETS_KEY] }));
  expect((await left())['payments.credential_secret_ref']).toBeGreaterThan(0);
  expect(await rotate(['--yes'])).toMatchObject({ code: 0 });
  expect(Object.values(await left())).toEqual(Object.values(await left()).map(() => 0));
  await expectOpenWith(newBox);
});

test('values that no key decrypts are listed, left unchanged and counted as remaining', async () => {
  const { code, out } = await rotate(['--yes', '--json'], { SECRETS_KEY: NEW_KEY });
  expect(code).toBe(1);
  const { sealed, left: remaining, failed } = JSON.parse(out);
  expect(sealed).toBe(0);
  expect(failed).toHaveLength(remaining);
  expect(failed.join()).toContain(`rail_accounts.credential of ${shop.railAccountId}`);
  await expectOpenWith(testSecretBox);
});

test('without a terminal to confirm on, and without --yes, nothing changes', async () => {
  const before = await left();
  expect(await rotate([])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  expect(await left()).toEqual(before);
});
