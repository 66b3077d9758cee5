/** Temporal's record of the sweeps proves a restore (rule 29), even while some of it cannot be read. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Client, ScheduleNotFoundError, ServiceError } from '@temporalio/client';
import { z } from 'zod';
import { createSweepActivities } from '../../../activities/sweep/sweep.ts';
import { sql } from '../../../db/core/pool.ts';
import { readLedgerCopy } from '../../../db/restore/fence.ts';
import { fenceRestored } from '../../../platform/temporal/restored.ts';
import { ensureSchedules } from '../../../worker/namespace.ts';
import { SWEEP_SCHEDULE_ID, type SweepResult } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

let world: SessionWorld;
/** The result that the next scheduled sweep returns. */
let result: SweepResult = { mark: null };
/** Run ids of the sweeps, by number. */
const sweepOf = new Map<number, string>();

beforeAll(async () => {
  world = await createSessionWorld({
    wrapActivities: (activities) => ({ ...activities, sweepOnce: async () => result }),
  });
  await world.startWorker();
  await ensureSchedules(world.client);
  for (const number of [40, 50, 30]) sweepOf.set(number, await remember(number));
  await world.client.schedule.getHandle(SWEEP_SCHEDULE_ID).pause();
});
afterAll(() => world?.close());
beforeEach(() => atSweep(50));

async function actions() {
  const { info } = await world.client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
  return info.recentActions.map(({ action }) => action.workflow);
}

/** @returns the sweep's run id, because sweeps triggered within one second share a workflow id */
async function remember(number: number): Promise<string> {
  result = { mark: number };
  const before = (await actions()).length;
  await world.client.schedule.getHandle(SWEEP_SCHEDULE_ID).trigger();
  const newest = await eventually(async () => {
    const now = await actions();
    expect(now.length).toBeGreaterThan(before);
    return now.at(-1);
  });
  const { workflowId = '', firstExecutionRunId = '' } = newest ?? {};
  expect(await world.client.workflow.getHandle(workflowId, firstExecutionRunId).result()).toEqual(result);
  return firstExecutionRunId;
}

async function atSweep(number: number, minutesAgo = 0): Promise<void> {
  await world.pool.query(sql.unsafe`
    update ledger_copy set mark = ${number}, fenced_at = null,
      marked_at = service_clock() - ${minutesAgo} * interval '1 minute'`);
}

const markNow = () =>
  world.pool.oneFirst(sql.type(z.object({ mark: z.number() }))`select mark from ledger_copy`);
interface Failing {
  readonly runs?: readonly string[];
  readonly schedules?: boolean;
  readonly code?: number;
}
const isFenced = async () => (await readLedgerCopy(world.pool)).fencedAt !== null;

/** A client whose requests about these runs, or about schedules, fail with a gRPC status code. */
function failing({ runs = [], schedules = false, code = 14 }: Failing) {
  const { client } = world;
  const cause = Object.assign(new Error('fails'), { code, details: 'fails', metadata: {} });
  const fail = () => Promise.reject(new ServiceError('fails', { cause }));
  const workflow = Object.create(client.workflow, {
    getHandle: {
      value: (id: string, runId = '') => {
        const handle = client.workflow.getHandle(id, runId);
        return runs.includes(runId) ? { ...handle, describe: fail } : handle;
      },
    },
  });
  const schedule = Object.create(client.schedule, { getHandle: { value: () => ({ describe: fail }) } });
  const parts = { workflow: { value: workflow }, ...(schedules && { schedule: { value: schedule } }) };
  return Object.create(client, parts) as Client;
}
/** A client of a Temporal without a recorded sweep. */
function newTemporal(): Client {
  const describe = () => Promise.reject(new ScheduleNotFoundError('not found', SWEEP_SCHEDULE_ID));
  const schedule = Object.create(world.client.schedule, { getHandle: { value: () => ({ describe }) } });
  return Object.create(world.client, { schedule: { value: schedule } }) as Client;
}
const sweepWith = (client: Client) => createSweepActivities({ ...world.deps, client }).sweepOnce();
/** Repeated, because a sweep is not counted if a busy Temporal answers too late. */
const sweepsTo = (client: Client, mark: number) =>
  eventually(async () => expect(await sweepWith(client)).toEqual({ mark }));

test('the highest recorded number counts, not the newest', async () => {
  expect(await fenceRestored(world.deps)).toEqual({ sweepNumber: 50, isComplete: true });
  expect(await isFenced()).toBe(false);
  await atSweep(40);
  await fenceRestored(world.deps);
  expect(await isFenced()).toBe(true);
});

test('a sweep that cannot read Temporal’s records is not counted', async () => {
  expect(await sweepWith(failing({ schedules: true }))).toEqual({ mark: null });
  expect(await markNow()).toBe(50);
});

test('a sweep that cannot read all of Temporal’s records is not counted, but keeps the records that it has read', async () => {
  await atSweep(45);
  await sweepsTo(failing({ runs: [sweepOf.get(50) ?? ''] }), 40);
  expect(await markNow()).toBe(45);
  expect(await isFenced()).toBe(false);
  await sweepsTo(failing({ runs: [sweepOf.get(30) ?? ''] }), 50);
  expect(await isFenced()).toBe(true);
});

test('a sweep that has read all of Temporal’s records is counted', async () => {
  await sweepsTo(world.client, 51);
  expect(await markNow()).toBe(51);
});

test('a worker that starts with a Temporal without recorded sweeps sets the fence', async () => {
  const deps = { ...world.deps, client: newTemporal() };
  await atSweep(50, 11);
  await fenceRestored(deps);
  expect(await isFenced()).toBe(false);
  await fenceRestored(deps, { isStart: true });
  expect(await isFenced()).toBe(true);
});

test('a worker that starts with a new Temporal minutes after a sweep or the end of a fence sets no fence', async () => {
  await atSweep(50, 9);
  await fenceRestored({ ...world.deps, client: newTemporal() }, { isStart: true });
  expect(await isFenced()).toBe(false);
});

test('a starting worker sets no fence if Temporal has a recorded sweep, however old', async () => {
  await atSweep(50, 5_000);
  await fenceRestored(world.deps, { isStart: true });
  expect(await isFenced()).toBe(false);
});

test.each([
  ['deadline', 4],
  ['unavailable', 14],
])('a worker does not start while Temporal’s records of sweeps cannot be read: %s', async (_status, code) => {
  const start = (unreadable: Failing) =>
    fenceRestored({ ...world.deps, client: failing({ ...unreadable, code }) }, { isStart: true });
  await expect(start({ schedules: true })).rejects.toThrow('fails');
  await expect(start({ runs: [sweepOf.get(40) ?? ''] })).rejects.toThrow('fails');
});

test('a worker starts if the records of sweeps are permanently unreadable', async () => {
  const client = failing({ schedules: true, code: 3 });
  const remembered = await fenceRestored({ ...world.deps, client }, { isStart: true });
  expect(remembered).toEqual({ sweepNumber: null, isComplete: false });
});
