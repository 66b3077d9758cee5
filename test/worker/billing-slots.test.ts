/** A burst of renewals leaves CPU time to clicks: a worker takes few of their tasks at once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../db/core/pool.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import { eventually } from '../support/core/eventually.ts';
import { currentDetails } from '../support/temporal/current-details.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';
import { subscribe, untilView } from '../support/world/subscription-world.ts';

const DUE = 12;
const gate = Promise.withResolvers<void>();
let inProgress = 0;
let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld({
    wrapActivities: (activities) => ({
      ...activities,
      async bill(...due) {
        inProgress += 1;
        await gate.promise;
        return activities.bill(...due);
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world?.close());

const handle = (id: string) => world.client.workflow.getHandle(id);

test('at most eight of twelve renewals due at the same instant are in progress at a time', async () => {
  const ids = await Promise.all(Array.from({ length: DUE }, () => subscribe(world)));
  // Each workflow sleeps until the end of its period.
  for (const id of ids) await eventually(async () => expect(await currentDetails(handle(id))).not.toBe(''));
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock(), next_action_at = service_clock()
    where id = any(${sql.array(ids, 'text')})`);
  for (const id of ids) await handle(id).signal(wakeSignal);
  await eventually(() => expect(inProgress).toBeGreaterThanOrEqual(5));
  // Longer than a task waits in a sticky queue, so a free slot has taken it by then.
  await sleep(3_000);
  expect(inProgress).toBeLessThanOrEqual(8);
  gate.resolve();
  for (const id of ids)
    await untilView(world, id, (view) => view.openAttempt === null && (view.next?.inMs ?? 0) > 0);
});
