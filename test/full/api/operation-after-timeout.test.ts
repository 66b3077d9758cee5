/** While no worker runs, a caller times out and retries under the same key. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { expectRefusal } from '../../support/api/api.ts';
import { eventTypesOf } from '../../support/db/subscriptions.ts';
import { type SubscriptionApi, startSubscriptionApi } from '../../support/world/subscription-api.ts';

let api: SubscriptionApi;

beforeAll(async () => {
  api = await startSubscriptionApi();
});
afterAll(() => api?.stop());

const changesOf = (id: string) =>
  api.world.pool.any(sql.type(z.object({ status: z.string() }))`
    select status from subscription_changes where subscription_id = ${id}
  `);

test('an operation past its deadline gets 503; the retry joins it and gets its result, once', async () => {
  const id = await api.subscribe();
  await api.world.stopWorker();
  const ask = () =>
    api.post(`/v1/subscriptions/${id}/plan-change`, { target_plan_id: api.plans.plus }, `late-${id}`);
  const began = performance.now();
  expectRefusal(await ask(), 503, 'dependency_unavailable');
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(await changesOf(id)).toEqual([]);
  // A second request under the same key while the first still waits for a worker.
  const [again] = await Promise.all([ask(), api.world.startWorker()]);
  const answer = again.status === 202 ? again : await ask();
  expect(answer.status).toBe(202);
  expect(await changesOf(id)).toEqual([{ status: 'scheduled' }]);
  const told = (await eventTypesOf(api.world.pool, id)).filter((type) => type === 'subscription.updated');
  expect(told).toHaveLength(1);
  expect((await ask()).body.change).toEqual(answer.body.change);
});
