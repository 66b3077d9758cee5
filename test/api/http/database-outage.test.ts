/** PostgreSQL restarts under load: 503, then recovery, and no partial writes. Uses real processes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { migrate } from '../../../db/core/migrate.ts';
import { openPool, sql } from '../../../db/core/pool.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { type Postgres, startPostgres } from '../../../sandbox/stack/postgres/postgres.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertShop, type Shop, TEST_PEPPER, TEST_SECRETS_KEY } from '../../support/db/fixtures.ts';
import { type RunningProcess, startProcess } from '../../support/stack/process.ts';
import { createTestNamespace } from '../../support/temporal/temporal.ts';

let dataDir: string;
let postgresPort: number;
let postgres: Postgres;
let apiUrl: string;
let api: RunningProcess;
let shop: Shop;

const start = () =>
  startPostgres({ dataDir, port: postgresPort, password: 'test', settings: { fsync: 'off' } });

beforeAll(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), 'checkout-outage-')), 'data');
  postgresPort = await freePort();
  postgres = await start();
  await migrate(postgres.url('postgres'));
  const pool = await openPool({ url: postgres.url('postgres') });
  shop = await insertShop(pool);
  await pool.end();
  const temporal = await createTestNamespace();
  const port = await freePort();
  apiUrl = `http://127.0.0.1:${port}`;
  api = await startProcess({
    script: 'bin/api.ts',
    healthUrl: `${apiUrl}/healthz`,
    env: {
      DATABASE_URL: postgres.url('postgres'),
      TEMPORAL_ADDRESS: temporal.address,
      TEMPORAL_NAMESPACE: temporal.namespace,
      API_PORT: `${port}`,
      PUBLIC_URL: apiUrl,
      API_KEY_PEPPER: TEST_PEPPER,
      SECRETS_KEY: TEST_SECRETS_KEY,
      SANDBOX_RAIL_URL: 'http://127.0.0.1:9',
    },
  });
});
afterAll(async () => {
  await api?.stop();
  await postgres?.part.stop();
  await rm(join(dataDir, '..'), { recursive: true, force: true });
});

interface Outcome {
  readonly status: number;
  readonly body: { readonly id?: string; readonly code?: string };
  readonly retryAfter: string | null;
}

async function create(): Promise<Outcome> {
  const response = await fetch(`${apiUrl}/v1/checkouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ productId: shop.products.oneTime, externalCustomerId: 'u-1' }),
    signal: AbortSignal.timeout(15_000),
  });
  const body = (await response.json()) as Outcome['body'];
  return { status: response.status, body, retryAfter: response.headers.get('retry-after') };
}

test('while PostgreSQL restarts under load, requests get 503; they succeed afterwards', async () => {
  const outcomes: Outcome[] = [];
  let loading = true;
  const load = Array.from({ length: 8 }, async () => {
    while (loading) outcomes.push(await create());
  });
  const untilAnswered = (status: number) =>
    eventually(() => expect(outcomes.map((outcome) => outcome.status)).toContain(status));
  await untilAnswered(201);
  await postgres.part.stop();
  await untilAnswered(503);
  // The health check runs once a second and gives every caller the same result.
  await eventually(async () => expect((await fetch(`${apiUrl}/healthz`)).status).toBe(503));
  postgres = await start();
  const backAt = Date.now();
  while ((await create()).status !== 201) {
    expect(Date.now() - backAt).toBeLessThan(60_000);
    await sleep(50);
  }
  await sleep(500);
  loading = false;
  await Promise.all(load);

  const refused = outcomes.filter(({ status }) => status !== 201);
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([201, 503]));
  for (const { body, retryAfter } of refused) {
    expect(['dependency_unavailable', 'checkout_failed']).toContain(body.code);
    expect(retryAfter).toBe('1');
  }
  // Every session that was answered with 201 exists and is complete.
  const answered = outcomes.flatMap(({ status, body }) => (status === 201 && body.id ? [body.id] : []));
  const pool = await openPool({ url: postgres.url('postgres') });
  const rows = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select c.id from checkouts c join customers u on u.id = c.customer_id where c.state = 'created'`);
  await pool.end();
  expect(answered.filter((id) => !rows.includes(id))).toEqual([]);
  expect(api.isRunning()).toBe(true);
});

test('SIGTERM ends the process within 5 s', async () => {
  const began = Date.now();
  expect(await api.stop()).toEqual({ code: 0, signal: null });
  expect(Date.now() - began).toBeLessThan(5_000);
});
