import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cacheDir } from '../../sandbox/stack/core/directories.ts';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { createProgress } from '../../sandbox/stack/core/progress.ts';
import { findTemporal } from '../../sandbox/stack/temporal/temporal-binary.ts';
import { startTemporal, type TemporalServer } from '../../sandbox/stack/temporal/temporal-dev.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { buy, CARDS, expectBooksToAgree, QUICK, query, until, untilShopHears } from './books.ts';

let dir: string;
let server: TemporalServer;
let stack: TestStack;
let startServer: () => Promise<TemporalServer>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-temporal-'));
  const binary = await findTemporal({
    env: process.env,
    cacheDir: cacheDir(process.env),
    progress: createProgress(() => {}),
  });
  const port = await freePort();
  startServer = () => startTemporal({ binary, port, dbFile: join(dir, 'temporal.db') });
  server = await startServer();
  stack = await startStack({ env: QUICK, temporal: { address: server.address, namespace: 'default' } });
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await server?.part.stop();
  await rm(dir, { recursive: true, force: true });
});

test('stops while checkouts are created: each gets 201, and can be paid once Temporal is back', async () => {
  const before = await stack.createCheckout(stack.products.oneTime);
  server.part.kill('SIGKILL');
  await server.part.exited;
  const sessions = [];
  for (let i = 0; i < 5; i++) sessions.push(await stack.createCheckout(stack.products.oneTime));
  const unstarted = `select count(*)::int as n from checkouts where workflow_started_at is null`;
  expect(await query(stack, unstarted)).toEqual([{ n: 5 }]);

  // The outcome is still unknown; the page repeats the same click.
  const paying = buy(sessions[0]?.hostedUrl ?? '', CARDS.approved, 90);
  server = await startServer();
  await until(
    async () => JSON.stringify(await query(stack, unstarted)) === '[{"n":0}]',
    'all are started',
    30_000,
  );
  expect((await paying).state).toBe('succeeded');
  for (const session of [before, ...sessions.slice(1)]) {
    expect((await buy(session.hostedUrl, CARDS.approved)).state).toBe('succeeded');
  }
  await untilShopHears(stack, 'payment.succeeded', sessions[0]?.id ?? '');
  await expectBooksToAgree(stack);
}, 180_000);
