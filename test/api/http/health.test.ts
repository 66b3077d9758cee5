/** GET /healthz. */
import { expect, test } from '@jest/globals';
import type { Pool } from '../../../db/core/pool.ts';
import { startTestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { failing, NOT_THERE } from '../../support/db/broken-pool.ts';

test('200 when requests can be served', async () => {
  const api = await startTestApi();
  const { status, body } = await api.request('GET', '/healthz');
  expect(status).toBe(200);
  expect(body).toMatchObject({ status: 'ok', postgres: 'ok', temporal: 'ok' });
  await api.stop();
});

test('503 without PostgreSQL', async () => {
  const api = await startTestApi({ poolThrough: failing(NOT_THERE) });
  const { status, body } = await api.request('GET', '/healthz');
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: 'unavailable', postgres: 'unreachable' });
  await api.stop();
});

test('probes distinguish a missing database from a hanging process', async () => {
  const api = await startTestApi({ poolThrough: failing(NOT_THERE) });
  const statusOf = async (path: string) => (await fetch(`${api.url}${path}`)).status;
  expect([await statusOf('/livez'), await statusOf('/readyz')]).toEqual([200, 503]);
  await api.stop();
});

test('one check per second serves all callers', async () => {
  let looks = 0;
  const counted = (pool: Pool): Pool =>
    new Proxy(pool, {
      get(target, name) {
        if (name === 'query') looks += 1;
        return Reflect.get(target, name);
      },
    });
  const api = await startTestApi({ poolThrough: counted });
  await Promise.all(Array.from({ length: 20 }, () => api.request('GET', '/healthz')));
  expect(looks).toBe(1);
  await eventually(async () => {
    await api.request('GET', '/healthz');
    expect(looks).toBe(2);
  });
  await api.stop();
});

seesEveryAnswerOf('showHealth');
