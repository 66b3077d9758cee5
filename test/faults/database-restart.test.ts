import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../db/core/migrate.ts';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { ensureDatabase, type Postgres, startPostgres } from '../../sandbox/stack/postgres/postgres.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { buy, CARDS, expectBooksToAgree, QUICK, query, until } from './books.ts';

let dir: string;
let postgres: Postgres;
let stack: TestStack;
let startServer: () => Promise<Postgres>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-postgres-'));
  const port = await freePort();
  const password = randomBytes(8).toString('hex');
  startServer = () => startPostgres({ dataDir: join(dir, 'data'), port, password });
  postgres = await startServer();
  await ensureDatabase(postgres, 'checkout');
  await migrate(postgres.url('checkout'));
  // The rail has its own database, so that only the service's restarts.
  stack = await startStack({ env: QUICK, databaseUrl: postgres.url('checkout') });
});
afterAll(async () => {
  await stack?.stop();
  await postgres?.part.stop();
  await rm(dir, { recursive: true, force: true });
});

test('when PostgreSQL restarts under load, requests get 503, then recover, and no write is partial', async () => {
  const statuses = new Map<number, number>();
  let loading = true;
  const hosted: string[] = [];
  const load = async () => {
    while (loading) {
      const response = await fetch(`${stack.apiUrl}/v1/checkouts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${stack.merchant.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ productId: stack.products.oneTime, externalCustomerId: 'load' }),
      });
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const body = (await response.json()) as { hostedUrl?: string; code?: string };
      if (body.hostedUrl) hosted.push(body.hostedUrl);
      else expect(['checkout_failed', 'dependency_unavailable']).toContain(body.code);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const loads = [load(), load(), load()];
  await until(async () => hosted.length > 5, 'the load is running');
  const paying = hosted.slice(0, 3).map((url) => buy(url, CARDS.approved, 90));
  postgres.part.kill('SIGKILL');
  await postgres.part.exited;
  await until(async () => (statuses.get(503) ?? 0) > 3, 'clients get 503');
  postgres = await startServer();
  const created = statuses.get(201) ?? 0;
  await until(async () => (statuses.get(201) ?? 0) > created + 5, 'sessions are created again', 30_000);
  loading = false;
  await Promise.all(loads);
  expect([...statuses.keys()].sort()).toEqual([201, 503]);
  for (const report of await Promise.all(paying)) expect(['succeeded', 'created']).toContain(report.state);
  for (const url of hosted.slice(0, 3)) expect((await buy(url, CARDS.approved, 60)).state).toBe('succeeded');
  await until(
    async () =>
      JSON.stringify(
        await query(stack, `select count(*)::int as n from checkouts where workflow_started_at is null`),
      ) === '[{"n":0}]',
    'every session has a workflow',
  );
  await expectBooksToAgree(stack);
});
