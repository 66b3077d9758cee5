import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { buy, CARDS, expectBooksToAgree, QUICK, query, until, untilShopHears } from './books.ts';
import { openTemporalServer, type Temporal } from './harness/place/temporal.ts';

let dir: string;
let temporal: Temporal;
let stack: TestStack;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-temporal-'));
  temporal = await openTemporalServer(dir, false);
  stack = await startStack({ env: QUICK, temporal: { address: temporal.address, namespace: 'default' } });
});
afterAll(async () => {
  await stack?.stop();
  await temporal?.end();
  await rm(dir, { recursive: true, force: true });
});

test('sessions created while Temporal is down get 201, and can be paid once it is back', async () => {
  const before = await stack.createCheckout(stack.products.oneTime);
  await temporal.stop();
  const sessions = [];
  for (let i = 0; i < 5; i++) sessions.push(await stack.createCheckout(stack.products.oneTime));
  const unstarted = `select count(*)::int as n from checkouts where workflow_started_at is null`;
  expect(await query(stack, unstarted)).toEqual([{ n: 5 }]);

  // The outcome is still unknown, so the page repeats the same click.
  const paying = buy(sessions[0]?.hostedUrl ?? '', CARDS.approved, 90);
  await temporal.start();
  await until(
    async () => JSON.stringify(await query(stack, unstarted)) === '[{"n":0}]',
    'all workflows have started',
    30_000,
  );
  expect((await paying).state).toBe('succeeded');
  for (const session of [before, ...sessions.slice(1)]) {
    expect((await buy(session.hostedUrl, CARDS.approved)).state).toBe('succeeded');
  }
  await untilShopHears(stack, 'payment.succeeded', sessions[0]?.id ?? '');
  await expectBooksToAgree(stack);
});
