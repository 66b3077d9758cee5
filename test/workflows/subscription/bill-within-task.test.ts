/** A due charge is one step of its workflow task if the rail answers soon. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { cancelSubscriptionUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import type { SessionWorld } from '../../support/world/checkout-world.ts';
import { createGatedWorld } from '../../support/world/gated-world.ts';
import { CARDS, chargesOf, subscribe, untilView, update } from '../../support/world/subscription-world.ts';

let gated: Awaited<ReturnType<typeof createGatedWorld>>;
let world: SessionWorld;

beforeAll(async () => {
  gated = await createGatedWorld('chargeStored');
  world = gated.world;
});
afterAll(() => world?.close());
beforeEach(() => gated.reset());

const handle = (id: string) => world.client.workflow.getHandle(id);

/** A subscription whose period has just ended. @returns its id, and the run that renews it */
async function due(): Promise<{ readonly id: string; readonly runId: string }> {
  const id = await subscribe(world);
  // The workflow sleeps until the end of its period.
  await eventually(async () => expect(await currentDetails(handle(id))).not.toBe(''));
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock(), next_action_at = service_clock() where id = ${id}`);
  const { runId } = await handle(id).describe();
  await handle(id).signal(wakeSignal);
  return { id, runId };
}

/** The regular activities scheduled by a run. */
async function activitiesOf({ id, runId }: { id: string; runId: string }): Promise<readonly string[]> {
  const { events } = await world.client.workflow.getHandle(id, runId).fetchHistory();
  return (events ?? []).flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.activityType?.name ?? ''] : [],
  );
}

/** The renewal is paid by one charge at the rail. */
async function untilRenewed(id: string): Promise<void> {
  await untilView(
    world,
    id,
    (view) => view.openAttempt === null && Date.parse(view.currentPeriodEnd ?? '') > Date.now(),
  );
  expect(await chargesOf(world, id)).toHaveLength(1);
}

test('a rail that answers immediately costs no activity', async () => {
  gated.open();
  const run = await due();
  await untilRenewed(run.id);
  expect(await activitiesOf(run)).toEqual([]);
  await keepHistory(world.client.workflow.getHandle(run.id, run.runId), 'subscription-billed');
});

test('a call that a task does not wait for is taken over by an activity, not repeated', async () => {
  gated.set.withinTaskMs = 0;
  const run = await due();
  await eventually(async () => expect(await activitiesOf(run)).toEqual(['continueCharge']));
  gated.open();
  await untilRenewed(run.id);
  expect(await activitiesOf(run)).toEqual(['continueCharge']);
  await keepHistory(world.client.workflow.getHandle(run.id, run.runId), 'subscription-billed-by-a-slow-rail');
});

test('at most four tasks of a process wait for a rail; the next renewal is charged by an activity, and no click waits', async () => {
  const runs = await Promise.all(Array.from({ length: 5 }, due));
  await eventually(async () => {
    const each = await Promise.all(runs.map(activitiesOf));
    expect(each.flat()).toEqual(['continueCharge']);
  });
  const session = await world.session();
  await world.pay(session, CARDS.approved);
  expect(await handle(session).result()).toMatchObject({ state: 'succeeded' });
  gated.open();
  for (const { id } of runs) await untilRenewed(id);
});

test('a renewal that is claimed but not yet sent is never sent once the merchant has cancelled', async () => {
  gated.open();
  const id = await subscribe(world);
  await eventually(async () => expect(await currentDetails(handle(id))).not.toBe(''));
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock() where id = ${id}`);
  // The claim of a lost workflow task; the run still sleeps, and receives the cancellation first.
  const paymentId = await renewPeriod(world.pool, id);
  expect(await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false })).toMatchObject({
    kind: 'done',
  });
  expect(await handle(id).result()).toEqual({ status: 'cancelled' });
  const sent = (await world.railRequests()).filter(({ reference }) => reference === paymentId);
  expect(sent.map(({ operation }) => operation)).not.toContain('chargeStored');
  expect(await chargesOf(world, id)).toEqual([]);
});
