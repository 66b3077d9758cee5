/** A stopping process finishes the requests in progress. Uses the real process. */
import { once } from 'node:events';
import { get } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Db, openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertShop, type Shop, TEST_PEPPER, TEST_SECRETS_KEY } from '../../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { type RunningProcess, startProcess } from '../../support/stack/process.ts';
import { createTestNamespace } from '../../support/temporal/temporal.ts';

/** Connections used to be cut after this grace period. */
const FORMER_GRACE_MS = 3_000;

let database: TestDatabase;
let pool: Pool;
let shop: Shop;
let apiUrl: string;
let api: RunningProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url, maxConnections: 1 });
  shop = await insertShop(pool);
  const temporal = await createTestNamespace();
  const port = await freePort();
  apiUrl = `http://127.0.0.1:${port}`;
  api = await startProcess({
    script: 'bin/api.ts',
    healthUrl: `${apiUrl}/healthz`,
    env: {
      DATABASE_URL: database.url,
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
  await api?.kill();
  await pool?.end();
  await database?.drop();
});

const create = () =>
  fetch(`${apiUrl}/v1/checkouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ productId: shop.products.oneTime, externalCustomerId: 'u-1' }),
  });

/** Statements waiting for a lock. */
const waiting = (db: Db) =>
  db.any(sql.unsafe`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);

test('a page stream is closed immediately, and a slow request is answered before the process exits', async () => {
  const { hostedUrl } = (await (await create()).json()) as { hostedUrl: string };
  const stream = get(`${hostedUrl}/events`);
  const [page] = await once(stream, 'response');
  expect(page.headers['content-type']).toContain('text/event-stream');
  let streamEndedAt = 0;
  page.resume().once('end', () => {
    streamEndedAt = performance.now();
  });

  let stoppedAt = 0;
  const slow = await pool.transaction(async (transaction) => {
    await transaction.query(sql.unsafe`lock table products in access exclusive mode`);
    const answer = create();
    await eventually(async () => expect(await waiting(transaction)).toHaveLength(1));
    process.kill(api.pid, 'SIGTERM');
    stoppedAt = performance.now();
    await eventually(() => expect(streamEndedAt).toBeGreaterThan(0));
    await expect(fetch(`${apiUrl}/livez`)).rejects.toThrow();
    await eventually(() => expect(performance.now() - stoppedAt).toBeGreaterThan(FORMER_GRACE_MS + 500));
    return { answer };
  });
  expect(streamEndedAt - stoppedAt).toBeLessThan(FORMER_GRACE_MS);
  expect((await slow.answer).status).toBe(201);
  await eventually(() => expect(api.isRunning()).toBe(false), 10_000);
  expect(api.lines.join('\n')).toContain('API stopping');
});
