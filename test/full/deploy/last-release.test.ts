/**
 * The previous release's processes keep selling after this release's migrations (docs/operations.md#deploying).
 * @needs history
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../../db/core/migrate.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import type { DevJson } from '../../../sandbox/stack/dev-json.ts';
import { eventually } from '../../support/core/eventually.ts';
import { ownPorts } from '../../support/stack/own-ports.ts';

const run = promisify(execFile);
const READY_WITHIN_MS = 120_000;
const HEARD_WITHIN_MS = 30_000;
const DAY_MS = 86_400_000;

let dir: string;
let release: ChildProcess;
let dev: DevJson;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-release-'));
  const archive = join(dir, 'release.tar');
  await run('git', ['archive', '-o', archive, releaseCommit()], { cwd: PROJECT_DIR });
  await run('tar', ['-xf', archive, '-C', dir]);
  await symlink(join(PROJECT_DIR, 'node_modules'), join(dir, 'node_modules'));
  const env = { ...process.env, ...(await ownPorts()) };
  release = spawn(process.execPath, ['bin/start.ts'], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [release.stdout, release.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const ended = once(release, 'exit').then(() => {
    throw new Error(`the previous release does not start:\n${output}`);
  });
  const ready = eventually(async () => readFile(join(dir, '.local/dev.json'), 'utf8'), READY_WITHIN_MS);
  dev = JSON.parse(await Promise.race([ready, ended]));
}, 150_000);
afterAll(async () => {
  if (release?.exitCode === null) {
    const exit = once(release, 'exit');
    release.kill('SIGTERM');
    await exit;
  }
  if (dir) await rm(dir, { recursive: true, force: true });
}, 60_000);

/** Each release adds the description of its API. */
function releaseCommit(): string {
  const added = ['log', '-1', '--diff-filter=A', '--format=%H', '--', 'docs/openapi-*.json'];
  return execFileSync('git', added, { cwd: PROJECT_DIR, encoding: 'utf8' }).trim();
}

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(dev.apiUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${dev.merchant.apiKey}`,
      'content-type': 'application/json',
      ...(path !== '/v1/checkouts' && { 'idempotency-key': randomUUID() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  expect({ path, refusal: response.ok ? null : answer }).toEqual({ path, refusal: null });
  return answer;
}

const createSession = (product: keyof DevJson['products']) =>
  ask('POST', '/v1/checkouts', {
    productId: dev.products[product],
    externalCustomerId: `buyer-${randomUUID()}`,
  });

async function buy({ hostedUrl }: { hostedUrl: string }, card: string): Promise<string> {
  const args = [join(PROJECT_DIR, 'bin/buyer.ts'), hostedUrl, '--card', card, '--email', 'a@b.eu'];
  return JSON.parse((await run(process.execPath, args)).stdout).state;
}

const APPROVED = '4242424242424242';
const CHALLENGED = '4000002760003184';
const DECLINED = '4000000000000002';

test('sells, renews, refunds and delivers on the schema of this release', async () => {
  const [begun, subscribed] = [await createSession('oneTime'), await createSession('recurring')];
  expect(await buy(subscribed, APPROVED)).toBe('succeeded');

  await migrate(dev.databaseUrl);

  expect(await buy(begun, APPROVED)).toBe('succeeded');
  const challenged = await createSession('oneTime');
  expect(await buy(challenged, CHALLENGED)).toBe('succeeded');
  const declined = await createSession('recurring');
  expect(await buy(declined, DECLINED)).toBe('created');
  expect(await buy(declined, APPROVED)).toBe('succeeded');

  const { subscription_id } = await ask('GET', `/v1/checkouts/${subscribed.id}`);
  const { data: subscriptions } = await ask('GET', '/v1/subscriptions');
  const { current_period_end: end } = subscriptions.find(
    (each: { id: string }) => each.id === subscription_id,
  );
  const to = new Date(Date.parse(end) + DAY_MS).toISOString();
  await ask('POST', `/v1/subscriptions/${subscription_id}/advance`, { to });
  const { payment_id: paymentId } = await ask('GET', `/v1/checkouts/${challenged.id}`);
  const refund = await ask('POST', '/v1/refunds', { paymentId });

  await eventually(async () => {
    const events = (await (await fetch(dev.webhook.eventsUrl)).json()) as {
      verified: boolean;
      body: string;
    }[];
    const of = (...words: string[]) =>
      events.filter((event) => words.every((word) => JSON.stringify(event).includes(word)));
    for (const { id } of [begun, challenged, declined]) expect(of('payment.succeeded', id)).not.toEqual([]);
    expect(of('subscription.updated', subscription_id)).not.toEqual([]);
    expect(of('refund', refund.id)).not.toEqual([]);
  }, HEARD_WITHIN_MS);
  const ledger = (await (await fetch(`${dev.railUrl}/ledger`)).json()) as {
    operation: string;
    amount: number;
  }[];
  const charges = ledger.filter(({ operation, amount }) => operation !== 'refund' && amount > 0);
  // Four purchases and a renewal, each charged once.
  expect(charges).toHaveLength(5);
}, 150_000);
