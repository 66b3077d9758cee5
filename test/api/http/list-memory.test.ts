/** A list of 50,000 rows is streamed: the API's memory stays within 64 MiB of idle. Uses a real process. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, sql } from '../../../db/core/pool.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import {
  insertPurchase,
  insertShop,
  type Shop,
  TEST_PEPPER,
  TEST_SECRETS_KEY,
} from '../../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { type RunningProcess, startProcess } from '../../support/stack/process.ts';

const ROWS = 50_000;
const MIB = 1_024 * 1_024;

let database: TestDatabase;
let api: RunningProcess;
let apiUrl: string;
let shop: Shop;

beforeAll(async () => {
  database = await createTestDatabase();
  const pool = await openPool({ url: database.url, statementTimeoutMs: 120_000 });
  shop = await insertShop(pool);
  const { orderId } = await insertPurchase(pool, shop, shop.products.oneTime);
  await pool.query(sql.unsafe`
    insert into orders (merchant_id, environment, customer_id, product_id, price_id, source, external_reference,
      line_items, amount, currency, status)
    select merchant_id, environment, customer_id, product_id, price_id, source, external_reference, line_items,
      amount, currency, status
    from orders, generate_series(2, ${ROWS}) where orders.id = ${orderId}`);
  await pool.end();
  const port = await freePort();
  apiUrl = `http://127.0.0.1:${port}`;
  api = await startProcess({
    script: 'bin/api.ts',
    healthUrl: `${apiUrl}/healthz`,
    env: {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
      API_PORT: `${port}`,
      PUBLIC_URL: apiUrl,
      API_KEY_PEPPER: TEST_PEPPER,
      SECRETS_KEY: TEST_SECRETS_KEY,
    },
  });
});
afterAll(async () => {
  await api?.stop();
  await database?.drop();
});

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${api.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

/** Measures idle memory after some requests, because modules still load after the start and at the first request. */
async function idleBytes(): Promise<number> {
  await fetch(`${apiUrl}/v1/products`, { headers: { authorization: `Bearer ${shop.apiKey}` } });
  for (let before = 0, now = await residentBytes(); ; before = now, now = await residentBytes()) {
    if (Math.abs(now - before) < MIB / 2) return now;
    await sleep(1_000);
  }
}

const list = () => fetch(`${apiUrl}/v1/orders`, { headers: { authorization: `Bearer ${shop.apiKey}` } });

test('three concurrent readers of 50,000 rows, one of them slow, stay within the memory limit', async () => {
  const idle = await idleBytes();
  let peak = 0;
  let reading = true;
  const watch = (async () => {
    while (reading) {
      peak = Math.max(peak, await residentBytes());
      await sleep(20);
    }
  })();
  const quick = async () =>
    ((await (await list()).json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  const slow = async () => {
    const response = await list();
    await sleep(2_000);
    return ((await response.json()) as { data: unknown[] }).data.length;
  };
  const [first, second, slowly] = await Promise.all([quick(), quick(), slow()]);
  reading = false;
  await watch;
  expect([new Set(first).size, second.length, slowly]).toEqual([ROWS, ROWS, ROWS]);
  expect((peak - idle) / MIB).toBeLessThan(64);
});
