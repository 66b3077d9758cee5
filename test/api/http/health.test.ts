/** GET /healthz. */
import { expect, test } from '@jest/globals';
import { startTestApi } from '../../support/api.ts';
import { failing, NOT_THERE } from '../../support/broken-pool.ts';
import { seesEveryAnswerOf } from '../../support/seen-answers.ts';

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

seesEveryAnswerOf('showHealth');
