/** Steps of due charges claim in turn, so that a burst of them leaves connections to clicks. */
import { expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  type BillingSteps,
  createBillingActivity,
} from '../../../activities/subscription/bill-within-task.ts';
import { eventually } from '../../support/core/eventually.ts';

const deps = { secretBox: {} } as Parameters<typeof createBillingActivity>[0];
const charge = { due: 'boundary', patienceOver: false, nextLookupSeconds: 2 } as const;

test('at most four claim at once, and one whose time is over in the queue claims nothing', async () => {
  const gate = Promise.withResolvers<void>();
  const claimed: string[] = [];
  const steps = {
    crossBoundary: async (id: string) => {
      claimed.push(id);
      await gate.promise;
      return null;
    },
    loadSubscription: async (subscriptionId: string) => ({ subscriptionId }),
  } as unknown as BillingSteps;
  const { billWithinTask } = createBillingActivity(deps, steps);
  const run = (environment: MockActivityEnvironment, subscriptionId: string) =>
    environment.run(billWithinTask, { ...charge, subscriptionId });

  const first = ['a', 'b', 'c', 'd'].map((id) => run(new MockActivityEnvironment(), id));
  const late = new MockActivityEnvironment();
  const cancelled = run(late, 'late');
  const next = run(new MockActivityEnvironment(), 'next');
  await eventually(() => expect(claimed).toEqual(['a', 'b', 'c', 'd']));
  late.cancel();
  gate.resolve();
  await expect(cancelled).rejects.toThrow();
  await Promise.all([...first, next]);
  expect(claimed).toEqual(['a', 'b', 'c', 'd', 'next']);
});
