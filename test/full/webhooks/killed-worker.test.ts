/**
 * Events to 20 endpoints of 20 merchants, five of them dead and five hanging, while the worker is killed at random.
 * Afterwards the dead ones return and recover everything.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { requestRecovery } from '../../../platform/temporal/start-recovery.ts';
import { eventually } from '../../support/core/eventually.ts';
import { ok } from '../../support/server/receiver.ts';
import { allReceived, type Crowd, changedBodies, openCrowd, publish, TIMEOUT_MS } from './crowd.ts';

const EVENTS_PER_SHOP = 100;
const PUBLISHED_OVER_MS = 10_000;

const ada = { actor: 'ada' };

let crowd: Crowd;
beforeAll(async () => {
  crowd = await openCrowd();
});
afterAll(() => crowd?.stop());

/** Kills the worker that many times at random moments, and restarts it each time. */
async function killAtRandom(times: number): Promise<void> {
  for (let killed = 0; killed < times; killed += 1) {
    await pause(2_000 + Math.random() * 6_000);
    await crowd.stack.kill('worker');
    await crowd.stack.start('worker');
  }
}

test('no event is lost while the worker is killed at random; dead endpoints get all their events once back', async () => {
  const { pool, client, shops, good, bad } = crowd;
  const killing = killAtRandom(3);
  await publish(pool, shops, EVENTS_PER_SHOP, PUBLISHED_OVER_MS);
  await killing;
  await allReceived(good);

  for (const { kind, receiver } of bad) {
    if (kind === 'dead') await receiver.start();
    receiver.answer = ok;
  }
  const since = new Date(Date.now() - 3_600_000).toISOString();
  for (const endpoint of bad.map(({ endpointId, scope }) => ({ endpointId, ...scope }))) {
    const leftToSweep = (error: unknown) => {
      throw error;
    };
    const deps = { pool, temporal: client, deadlineMs: TIMEOUT_MS, leftToSweep };
    expect(await requestRecovery(deps, endpoint, since, ada)).not.toBeNull();
  }
  await killAtRandom(3);
  await allReceived(bad);

  await eventually(async () => {
    const left = await pool.any(sql.type(z.object({ status: z.string(), count: z.int() }))`
      select status, count(*)::int4 as count from deliveries where status <> 'succeeded' group by status`);
    // No alerts are left either: they go to other endpoints of the same merchant, and there are none.
    expect(left).toEqual([]);
  }, TIMEOUT_MS);
  expect(changedBodies(shops)).toEqual([]);
}, 900_000);
