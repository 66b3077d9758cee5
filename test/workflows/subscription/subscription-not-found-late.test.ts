/** The row of a subscription is lost while commands are queued behind its last one (rule 30). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { ROW_NOT_FOUND } from '../../../workflows/core/messages.ts';
import { cancelSubscriptionUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { subscribe, update } from '../../support/world/subscription-world.ts';

let world: SessionWorld;
let operations = 0;

beforeAll(async () => {
  world = await createSessionWorld({
    wrapActivities: (activities) => ({
      ...activities,
      operateSubscription: async (input) => {
        operations += 1;
        if (operations === 1) return activities.operateSubscription(input);
        throw ApplicationFailure.nonRetryable(`${input.subscriptionId} does not exist`, ROW_NOT_FOUND);
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world?.close());

/** @throws while the server does not know the update */
async function expectAdmitted(workflowId: string, updateId: string): Promise<void> {
  const { namespace, client } = world;
  await client.workflowService.pollWorkflowExecutionUpdate({
    namespace,
    updateRef: { workflowExecution: { workflowId }, updateId },
  });
}

test('when a command finds the row missing, the commands queued behind it are refused and the run fails', async () => {
  const id = await subscribe(world);
  await world.stopWorker();
  const updateIds = Array.from({ length: 4 }, () => randomUUID());
  const answers = Promise.allSettled(
    updateIds.map((updateId) =>
      update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false }, updateId),
    ),
  );
  // Messages sent while no worker runs arrive in one activation.
  await eventually(() => Promise.all(updateIds.map((updateId) => expectAdmitted(id, updateId))));
  await world.startWorker();
  const [done, ...refused] = (await answers).toSorted((a, b) => a.status.localeCompare(b.status));
  expect(done).toMatchObject({ value: { kind: 'done' } });
  const gone = { cause: { type: ROW_NOT_FOUND, message: `${id} does not exist` } };
  expect(refused).toMatchObject(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: gone })));
  await expect(world.client.workflow.getHandle(id).result()).rejects.toMatchObject(gone);
});
