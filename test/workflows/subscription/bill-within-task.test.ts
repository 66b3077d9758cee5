/**
 * A due charge is one step of its workflow task if the rail answers soon
 * (docs/decisions/0025-a-due-charge-is-one-step.md).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { SecretBox } from '../../../secrets/secret-box.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { subscriptionStatusQuery } from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { TEST_SECRETS_KEY } from '../../support/db/fixtures.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { chargesOf, subscribe, untilView } from '../../support/world/subscription-world.ts';

/** Less than the local activity's time-out. */
const LONG_MS = 12_000;

let world: SessionWorld;
let withinTaskMs: number;
let previousReleaseRuns = false;
/** While it is closed, no renewal reaches the rail. */
let gate: PromiseWithResolvers<void>;

beforeAll(async () => {
  const secretBox = new SecretBox(TEST_SECRETS_KEY);
  Object.defineProperty(secretBox, 'previousReleaseRuns', { get: () => previousReleaseRuns });
  world = await createSessionWorld({
    secretBox,
    railCallTimeoutSeconds: 30,
    withinTaskMs: () => withinTaskMs,
    wrapRail: (rail) => ({
      ...rail,
      chargeStored: async (request) => {
        await gate.promise;
        return rail.chargeStored(request);
      },
    }),
  });
  await world.startWorker();
});
afterAll(() => world?.close());
beforeEach(() => {
  previousReleaseRuns = false;
  withinTaskMs = LONG_MS;
  gate = Promise.withResolvers();
});

const handle = (id: string) => world.client.workflow.getHandle(id);

/** A subscription whose period has just ended. @returns its id, and the run that renews it */
async function due(): Promise<{ readonly id: string; readonly runId: string }> {
  const id = await subscribe(world);
  // It sleeps until the end of its period.
  await eventually(async () => expect(await handle(id).query(subscriptionStatusQuery)).not.toBeNull());
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock(), next_action_at = service_clock() where id = ${id}`);
  const { runId } = await handle(id).describe();
  await handle(id).signal(wakeSignal);
  return { id, runId };
}

/** The regular activities that a run scheduled. */
async function activitiesOf({ id, runId }: { id: string; runId: string }): Promise<readonly string[]> {
  const { events } = await world.client.workflow.getHandle(id, runId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.activityType?.name ?? ''] : [],
  );
}

/** The renewal is paid; one charge is at the rail. */
async function untilRenewed(id: string): Promise<void> {
  await untilView(
    world,
    id,
    (view) => view.openPayment === null && Date.parse(view.currentPeriodEnd ?? '') > Date.now(),
  );
  expect(await chargesOf(world, id)).toHaveLength(1);
}

test('a rail that answers at once costs no activity', async () => {
  gate.resolve();
  const run = await due();
  await untilRenewed(run.id);
  expect(await activitiesOf(run)).toEqual([]);
  await keepHistory(world.client.workflow.getHandle(run.id, run.runId), 'subscription-billed-in-one-step');
});

test('a call that a task does not wait for is taken over by an activity, not repeated', async () => {
  withinTaskMs = 0;
  const run = await due();
  await eventually(async () => expect(await activitiesOf(run)).toEqual(['chargeStored']));
  gate.resolve();
  await untilRenewed(run.id);
  expect(await activitiesOf(run)).toEqual(['chargeStored']);
  await keepHistory(world.client.workflow.getHandle(run.id, run.runId), 'subscription-billed-by-a-slow-rail');
});

test('while the previous release runs, each part is an activity that its workers know', async () => {
  previousReleaseRuns = true;
  gate.resolve();
  const run = await due();
  await untilRenewed(run.id);
  expect(await activitiesOf(run)).toEqual(['chargeStored']);
});
