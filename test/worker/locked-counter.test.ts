/** A merchant whose next invoice number is locked delays no other merchant's renewal (rule 42). */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../db/core/pool.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import { atBest } from '../support/core/at-best.ts';
import { eventually } from '../support/core/eventually.ts';
import { holdLock, invoiceCounterOf } from '../support/db/hold-lock.ts';
import { currentDetails } from '../support/temporal/current-details.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';
import { chargesOf, subscribe } from '../support/world/subscription-world.ts';

/** More than a worker takes at once. */
const OF_LOCKED = 12;
const CHARGED_WITHIN_MS = 2_000;
let world: SessionWorld;
let afterTest: () => Promise<void> = async () => {};

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(async () => {
  await afterTest();
  await world?.close();
});

async function sleeping(of: SessionWorld): Promise<string> {
  const id = await subscribe(of);
  await eventually(async () =>
    expect(await currentDetails(world.client.workflow.getHandle(id))).not.toBe(''),
  );
  return id;
}

async function makeDue(ids: readonly string[]): Promise<void> {
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock(), next_action_at = service_clock()
    where id = any(${sql.array(ids, 'text')})`);
  await Promise.all(ids.map((id) => world.client.workflow.getHandle(id).signal(wakeSignal)));
}

test('a locked invoice counter does not delay another merchant’s renewal beyond two seconds', async () => {
  const ids = await Promise.all(Array.from({ length: OF_LOCKED }, () => sleeping(world)));
  const neighbour = await world.neighbour();
  const others = await Promise.all([1, 2, 3].map(() => sleeping(neighbour)));

  const unlock = await holdLock(world.pool, invoiceCounterOf(world.shop.merchantId));
  afterTest = unlock;
  await makeDue(ids);
  const took = await atBest(CHARGED_WITHIN_MS, async () => {
    const id = others.pop();
    if (!id) throw new Error('no renewal left to measure');
    // By now the locked merchant's renewals occupy their slots.
    await sleep(500);
    const begun = performance.now();
    await makeDue([id]);
    await eventually(async () => expect(await chargesOf(neighbour, id)).toEqual([900]));
    return performance.now() - begun;
  });
  expect(took).toBeLessThan(CHARGED_WITHIN_MS);
  for (const id of ids) expect(await chargesOf(world, id)).toEqual([]);

  await unlock();
  for (const id of ids) await eventually(async () => expect(await chargesOf(world, id)).toEqual([900]));
});
