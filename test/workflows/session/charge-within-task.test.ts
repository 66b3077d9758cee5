/** The first call of an attempt is part of the workflow task of its claim if the rail answers soon. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../../support/core/eventually.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import type { SessionWorld } from '../../support/world/checkout-world.ts';
import { createGatedWorld } from '../../support/world/gated-world.ts';

const APPROVED = '4242424242424242';
let gated: Awaited<ReturnType<typeof createGatedWorld>>;
let world: SessionWorld;

beforeAll(async () => {
  gated = await createGatedWorld('authorize');
  world = gated.world;
});
afterAll(() => world?.close());
beforeEach(() => gated.reset());

const handle = (session: string) => world.client.workflow.getHandle(session);

const eventsOf = async (session: string) => (await handle(session).fetchHistory()).events ?? [];
const tasksOf = async (session: string) =>
  (await eventsOf(session)).filter((event) => event.workflowTaskCompletedEventAttributes).length;
const activitiesOf = async (session: string) =>
  (await eventsOf(session)).filter((event) => event.activityTaskScheduledEventAttributes).length;

/** Requests to the rail about the session's only attempt. */
async function askedAbout(session: string): Promise<readonly string[]> {
  const [payment] = await world.payments(session);
  const requests = await world.railRequests();
  return requests.filter(({ reference }) => reference === payment?.id).map(({ operation }) => operation);
}

test('a rail that answers immediately costs one workflow task and no activity', async () => {
  gated.open();
  const session = await world.session();
  expect(await world.pay(session, APPROVED)).toMatchObject({ kind: 'claimed' });
  expect(await handle(session).result()).toEqual({ state: 'succeeded', failureReason: null });
  expect(await tasksOf(session)).toBe(1);
  expect(await activitiesOf(session)).toBe(0);
  expect(await askedAbout(session)).toEqual(['authorize']);
  await keepHistory(handle(session), 'checkout-paid');
});

test('a call that a task does not wait for is taken over by an activity, not repeated', async () => {
  gated.set.withinTaskMs = 0;
  const session = await world.session();
  expect(await world.pay(session, APPROVED)).toMatchObject({ kind: 'claimed' });
  await eventually(async () => expect(await activitiesOf(session)).toBe(1));
  gated.open();
  expect(await handle(session).result()).toEqual({ state: 'succeeded', failureReason: null });
  expect(await askedAbout(session)).toEqual(['authorize']);
  await keepHistory(handle(session), 'checkout-paid-by-slow-rail');
});

test('at most four tasks of a process wait for a rail; the next click is charged by an activity', async () => {
  const sessions = await Promise.all(Array.from({ length: 5 }, () => world.session()));
  const clicks = sessions.map((session) => world.pay(session, APPROVED));
  await eventually(async () => {
    const counts = await Promise.all(sessions.map(activitiesOf));
    expect(counts.toSorted()).toEqual([0, 0, 0, 0, 1]);
  });
  gated.open();
  for (const session of sessions) {
    expect(await handle(session).result()).toMatchObject({ state: 'succeeded' });
    expect(await askedAbout(session)).toEqual(['authorize']);
  }
  expect(await Promise.all(clicks)).toHaveLength(5);
});
