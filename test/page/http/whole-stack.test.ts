/** Clicks on the page and the headless buyer, on the whole service as real processes. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import type { PageView } from '../../../page/document/view.ts';
import { hostedUrl } from '../../../page/http/urls.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { createPageToken, openPageToken } from '../../../platform/secrets/page-token.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertSession } from '../../support/db/fixtures.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import { isTerminated, startStuckRun } from '../../support/temporal/stuck-run.ts';

const CANARY = 'canary-7f3a@example.com';

let stack: TestStack;
let pool: Pool;
let connection: Connection;
let temporal: Client;

beforeAll(async () => {
  stack = await startStack({ env: { CHALLENGE_LIFETIME_SECONDS: '3' } });
  pool = await openPool({ url: stack.databaseUrl });
  connection = await Connection.connect({ address: stack.temporal.address });
  temporal = new Client({ connection, namespace: stack.temporal.namespace });
});
afterAll(async () => {
  await connection?.close();
  await pool?.end();
  await stack?.stop();
});

const newSession = (more: object = {}) =>
  stack.createCheckout(stack.products.oneTime, {
    successUrl: 'https://shop.example/thanks',
    failUrl: 'https://shop.example/cart',
    ...more,
  });

interface Run {
  readonly code: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** As `npm run -s buyer -- …` runs it. */
function buyer(...args: readonly string[]): Promise<Run> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(PROJECT_DIR, 'bin/buyer.ts'), ...args], (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr });
    });
  });
}

async function buys(url: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await buyer(url, ...args);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return JSON.parse(stdout);
}

async function token(number = '4242424242424242'): Promise<string> {
  const response = await fetch(`${stack.railUrl}/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      account: stack.merchant.railAccountId,
      number,
      expMonth: 12,
      expYear: 2040,
      cvc: '123',
    }),
  });
  return ((await response.json()) as { token: string }).token;
}

async function post(url: string, path: string, body: object): Promise<PageView & { claim?: string }> {
  const response = await fetch(`${url}/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as PageView & { claim?: string };
}

const read = async (url: string) => (await (await fetch(`${url}/state`)).json()) as PageView;

test('the headless buyer pays and prints one line of JSON', async () => {
  const report = await buys(
    (await newSession()).hostedUrl,
    '--card',
    '4242424242424242',
    '--email',
    'a@b.eu',
  );
  expect(report).toEqual({
    state: 'succeeded',
    failureReason: null,
    attempts: 1,
    redirectUrl: 'https://shop.example/thanks',
  });
});

test('the headless buyer approves a challenge by default, or fails or abandons it', async () => {
  const card = ['--card', '4000002760003184'];
  expect(await buys((await newSession()).hostedUrl, ...card)).toMatchObject({
    state: 'succeeded',
    attempts: 1,
  });
  expect(await buys((await newSession()).hostedUrl, ...card, '--challenge', 'fail')).toEqual({
    state: 'created',
    failureReason: null,
    attempts: 1,
    redirectUrl: null,
  });
  const left = (await newSession()).hostedUrl;
  expect(await buys(left, ...card, '--challenge', 'abandon')).toMatchObject({ state: 'requires_action' });
  await eventually(async () => expect((await read(left)).state).toBe('created'));
});

test('a decline leaves the session payable; a paid session is not paid again', async () => {
  const { hostedUrl: url } = await newSession();
  expect(await buys(url, '--card', '4000000000000002')).toMatchObject({ state: 'created', attempts: 1 });
  expect(await buys(url, '--card', '4242424242424242')).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect(await buys(url, '--card', '4242424242424242')).toMatchObject({ state: 'succeeded', attempts: 2 });
});

test('the headless buyer proves work once a decline has made that necessary', async () => {
  await stack.restart('api', { DECLINES_PER_ADDRESS: '1' });
  try {
    const { hostedUrl: url } = await newSession();
    expect(await buys(url, '--card', '4000000000000002')).toMatchObject({ attempts: 1 });
    expect(await buys(url, '--card', '4000000000000002')).toMatchObject({ attempts: 2 });
    expect(await buys(url, '--card', '4242424242424242')).toMatchObject({ state: 'succeeded' });
  } finally {
    await stack.restart('api');
  }
});

test('a card that the rail does not accept creates no attempt', async () => {
  const { code, stdout, stderr } = await buyer((await newSession()).hostedUrl, '--card', '4111111111111111');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'created', attempts: 0 });
  expect(stderr).toMatch(/test cards only/);
});

test('an outcome still unknown at the time-out is reported as such, with exit code 1', async () => {
  const { code, stdout } = await buyer(
    'http://127.0.0.1:1/pay/ap_chk_x',
    '--card',
    '4242424242424242',
    '--timeout',
    '0.5',
  );
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    state: 'unknown',
    failureReason: null,
    attempts: 0,
    redirectUrl: null,
  });
});

test('an unknown session gives a message and exit code 1', async () => {
  const { code, stderr } = await buyer(
    hostedUrl(stack.apiUrl, 'ap_chk_unknown'),
    '--card',
    '4242424242424242',
  );
  expect(code).toBe(1);
  expect(stderr).toMatch(/The session does not exist/);
});

test.each([
  ['no url', []],
  ['no card', ['http://127.0.0.1:1/pay/x']],
  ['an unknown option', ['http://127.0.0.1:1/pay/x', '--card', '4242', '--amount', '1']],
  ['an unknown challenge mode', ['http://127.0.0.1:1/pay/x', '--card', '4242', '--challenge', 'ignore']],
  ['a time-out that is not a number', ['http://127.0.0.1:1/pay/x', '--card', '4242', '--timeout', 'soon']],
])('%s gives exit code 2 and the usage', async (_what, args) => {
  const { code, stdout, stderr } = await buyer(...args);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain('Usage: npm run -s buyer');
});

test('--help prints the usage and needs no other argument', async () => {
  expect(await buyer('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('--challenge'),
    stderr: '',
  });
});

test('ten concurrent clicks create one attempt and all get its state', async () => {
  const { id, hostedUrl: url } = await newSession();
  const methodToken = await token();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      post(url, 'pay', { claimId: randomUUID(), methodType: 'card', methodToken, email: 'a@b.eu' }),
    ),
  );
  expect(answers.filter(({ claim }) => claim === 'claimed')).toHaveLength(1);
  await eventually(async () => expect((await read(url)).state).toBe('succeeded'));
  const { rowCount } = await pool.query(sql.unsafe`select from payments where checkout_id = ${id}`);
  expect(rowCount).toBe(1);
  // Clicks that created no attempt are closed, and their card tokens are deleted.
  const { rows } = await pool.query(sql.unsafe`
    select from clicks r where checkout_id = ${id} and (method_token is not null or not_after > service_clock())
      and not exists (select from payments p where p.claim_id = r.claim_id)`);
  expect(rows).toEqual([]);
});

test('a repeated click creates only one attempt', async () => {
  const { hostedUrl: url } = await newSession();
  const click = {
    claimId: randomUUID(),
    methodType: 'card',
    methodToken: await token('4000000000000002'),
    email: 'a@b.eu',
  };
  for (let times = 0; times < 3; times++) expect((await post(url, 'pay', click)).claim).toBe('claimed');
  await eventually(async () =>
    expect(await read(url)).toMatchObject({ state: 'created', attempts: { used: 1 } }),
  );
  expect(await post(url, 'pay', click)).toMatchObject({
    claim: 'claimed',
    state: 'created',
    attempts: { used: 1 },
  });
});

test('a click starts the session’s workflow if it was never started', async () => {
  const scope = { merchantId: stack.merchant.id, environment: 'sandbox' } as const;
  await stack.kill('worker');
  const box = new SecretBox(stack.secretsKey);
  const values = { pageToken: createPageToken(box, 'ap_chk_') };
  const session = await insertSession(pool, scope, stack.products.oneTime, values);
  // Marked as started, so the relay skips this session.
  await pool.query(
    sql.unsafe`update checkouts set workflow_started_at = service_clock() where id = ${session.id}`,
  );
  await stack.start('worker');
  const url = hostedUrl(stack.apiUrl, openPageToken(box, session));
  expect(await buys(url, '--card', '4242424242424242')).toMatchObject({
    state: 'succeeded',
  });
});

test('a click restarts a workflow that an operator terminated', async () => {
  const { id, hostedUrl: url } = await newSession();
  await temporal.workflow.getHandle(id).terminate('by a test');
  expect(await buys(url, '--card', '4242424242424242')).toMatchObject({ state: 'succeeded', attempts: 1 });
});

test('a click replaces a run whose tasks keep failing', async () => {
  const { id, hostedUrl: url } = await newSession();
  await temporal.workflow.getHandle(id).terminate('by a test');
  const stuck = await startStuckRun(temporal, id, taskQueue('checkout', 'sandbox'));
  expect(await buys(url, '--card', '4242424242424242')).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(await isTerminated(temporal, stuck)).toBe(true);
  // The new run has no start delay, because an attempt that was sent to the rail is looked up immediately.
  const [begun] = (await temporal.workflow.getHandle(id).fetchHistory()).events ?? [];
  const delay = begun?.workflowExecutionStartedEventAttributes?.firstWorkflowTaskBackoff;
  expect(Number(delay?.seconds ?? 0)).toBe(0);
});

test('a cancelled session is final and cannot be paid', async () => {
  const { hostedUrl: url } = await newSession();
  const requestId = randomUUID();
  const cancelled = { state: 'failed', failureReason: 'cancelled' };
  expect(await post(url, 'cancel', { requestId, what: 'session' })).toMatchObject(cancelled);
  expect(await post(url, 'cancel', { requestId, what: 'session' })).toMatchObject(cancelled);
  expect(await buys(url, '--card', '4242424242424242')).toMatchObject({
    ...cancelled,
    redirectUrl: 'https://shop.example/cart',
  });
});

test('workflow histories hold no email, card token or page token', async () => {
  const { id, sessionId: pageToken, hostedUrl: url } = await newSession();
  const methodToken = await token();
  await post(url, 'pay', { claimId: randomUUID(), methodType: 'card', methodToken, email: CANARY });
  await eventually(async () => expect((await read(url)).state).toBe('succeeded'));
  const { rows } = await pool.query(sql.unsafe`
    select from checkouts c join customers u on u.id = c.customer_id where c.id = ${id} and u.email = ${CANARY}`);
  expect(rows).toHaveLength(1);
  // The page shows the stored outcome before the workflow's task ends.
  await temporal.workflow.getHandle(id).result();
  const history = JSON.stringify(await temporal.workflow.getHandle(id).fetchHistory(), (key, value) =>
    key === 'data' && typeof value === 'string' ? Buffer.from(value, 'base64').toString() : value,
  );
  // Field names appear only if the payloads have been decoded.
  for (const field of ['checkoutId', 'claimId', 'attemptId']) expect(history).toContain(field);
  for (const secret of [CANARY, methodToken, pageToken]) expect(history).not.toContain(secret);
});
