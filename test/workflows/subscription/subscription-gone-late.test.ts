/** The row of a subscription is lost while commands wait behind its last one (rule 30). */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { ROW_GONE } from '../../../workflows/core/messages.ts';
import { cancelSubscriptionUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { createSessionWorld, type SessionWorld } from '../../support/checkout-world.ts';
import { subscribe, update } from '../../support/subscription-world.ts';

let world: SessionWorld;
let operations = 0;

beforeAll(async () => {
  world = await createSessionWorld({
    wrapActivities: (activities) => ({
      ...activities,
      operateSubscription: async (input) => {
        operations += 1;
        if (operations === 1) return activities.operateSubscription(input);
        throw ApplicationFailure.nonRetryable(`${input.subscriptionId} does not exist`, ROW_GONE);
      },
    }),
  });
  await world.startWorker();
}, 60_000);
afterAll(() => world?.close());

test('every command that waits behind the one that finds it gone is refused, and the run fails', async () => {
  const id = await subscribe(world);
  await world.stopWorker();
  const sent = Array.from({ length: 4 }, () =>
    update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false }),
  );
  const answers = Promise.allSettled(sent);
  // Messages sent while no worker runs arrive in one activation.
  await pause(1_000);
  await world.startWorker();
  const [done, ...refused] = (await answers).toSorted((a, b) => a.status.localeCompare(b.status));
  expect(done).toMatchObject({ value: { kind: 'done' } });
  const gone = { cause: { type: ROW_GONE, message: `${id} does not exist` } };
  expect(refused).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: gone })));
  await expect(world.client.workflow.getHandle(id).result()).rejects.toMatchObject(gone);
}, 30_000);
