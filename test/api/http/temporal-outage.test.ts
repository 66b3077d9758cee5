/** Checkouts created while Temporal is down are answered with 201 and started when it is back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { cacheDir } from '../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { createProgress } from '../../../sandbox/stack/core/progress.ts';
import { findTemporal } from '../../../sandbox/stack/temporal/temporal-binary.ts';
import { startTemporal, type TemporalServer } from '../../../sandbox/stack/temporal/temporal-dev.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

let port: number;
let api: TestApi;
let shop: Shop;
let temporal: TemporalServer | undefined;

beforeAll(async () => {
  port = await freePort();
  api = await startTestApi({ temporal: { address: `127.0.0.1:${port}`, namespace: 'default' } });
  shop = await insertShop(api.pool);
});
afterEach(async () => {
  await temporal?.part.stop();
  temporal = undefined;
});
afterAll(() => api?.stop());

const create = () =>
  api.request('POST', '/v1/checkouts', {
    apiKey: shop.apiKey,
    body: { productId: shop.products.oneTime, externalCustomerId: 'u-1' },
  });
const startedAt = (id: string) =>
  api.pool.oneFirst(sql.type(z.object({ workflow_started_at: z.string().nullable() }))`
    select workflow_started_at from checkouts where id = ${id}`);

test('a checkout is created (201) without Temporal, and its row records that no workflow was started', async () => {
  const began = Date.now();
  const answer = await create();
  expect(answer.status).toBe(201);
  expect(Date.now() - began).toBeLessThan(9_000);
  expect(answer.headers.get('x-service-flow-id')).toBe(answer.body.id);
  expect(await startedAt(answer.body.id)).toBeNull();
});

test('later checkouts do not each wait for Temporal', async () => {
  // Measured several times: a wait in the code slows every run, load only some.
  await eventually(async () => {
    await create();
    const began = Date.now();
    const answers = await Promise.all(Array.from({ length: 20 }, create));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    // If each waited for Temporal to time out, twenty would take half a minute.
    expect(Date.now() - began).toBeLessThan(6_000);
  }, 45_000);
});

test('GET /healthz returns 200 and reports Temporal as unreachable', async () => {
  const { status, body } = await api.request('GET', '/healthz');
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({ status: 'degraded', postgres: 'ok', temporal: 'unreachable' }),
  ]);
});

test('soon after Temporal is back, the API itself starts workflows again', async () => {
  await create();
  const progress = createProgress(() => {});
  const binary = await findTemporal({ env: process.env, cacheDir: cacheDir(process.env), progress });
  temporal = await startTemporal({ binary, port });
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { body } = await create();
    // The start is recorded after the response is sent.
    await sleep(200);
    if (await startedAt(body.id)) break;
    if (Date.now() > deadline) throw new Error('the API does not reach Temporal again');
  }
  expect((await api.request('GET', '/healthz')).body).toMatchObject({ status: 'ok', temporal: 'ok' });
});
