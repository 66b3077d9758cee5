/** Worker builds: a session stays on the build that began it, and runs from before versioning continue. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { cancelSubscriptionUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { BARE_ENV } from '../../support/stack/process.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { subscribe, update } from '../../support/world/subscription-world.ts';

const VISA = '4242424242424242';
const version = (buildId: string) => ({ deploymentName: 'hosted-checkout', buildId });

let world: SessionWorld;
let stopB: () => Promise<void>;
beforeAll(async () => {
  world = await createSessionWorld();
});
afterAll(() => world?.close());

async function deploy(...args: string[]) {
  const { builds } = (await ops(...args)) as { builds: { buildId: string; state: string }[] };
  return Object.fromEntries(builds.map(({ buildId, state }) => [buildId, state]));
}

async function ops(...args: string[]): Promise<object> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['bin/ops.ts', 'deploy', ...args, '--json'],
    {
      env: {
        ...BARE_ENV,
        DATABASE_URL: world.databaseUrl,
        TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
        TEMPORAL_NAMESPACE: world.namespace,
      },
    },
  );
  return JSON.parse(stdout);
}

/** The builds that completed workflow tasks, in order, without repetitions; `none` for a worker without a build. */
async function buildsOf(workflowId: string): Promise<readonly string[]> {
  const { events } = await world.client.workflow.getHandle(workflowId).fetchHistory();
  const builds = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: task }) =>
    task ? [task.deploymentVersion?.buildId ?? 'none'] : [],
  );
  return builds.filter((build, index) => build !== builds[index - 1]);
}

/** A session whose workflow has run its first task: pinned, if a build has run it. */
async function begun() {
  const id = await world.session();
  await world.pay(id, '4000000000000002');
  return id;
}

async function paid(id: string) {
  await world.pay(id, VISA);
  await world.client.workflow.getHandle(id).result();
  expect((await world.view(id)).state).toBe('succeeded');
  return buildsOf(id);
}

const isCurrent = (build: string) =>
  eventually(
    async () => expect(await deploy('current', build)).toMatchObject({ [build]: 'current' }),
    120_000,
  );

test('a session stays on its build through the switch to versioning, a deploy and a roll-back; a subscription does not', async () => {
  const stopUnversioned = await world.startWorker();
  const before = await begun();
  expect(await buildsOf(before)).toEqual(['none']);

  await world.startWorker(version('a'));
  await isCurrent('a');
  await stopUnversioned();
  expect(await paid(before)).toEqual(['none', 'a']);
  const [first, subscription] = await Promise.all([begun(), subscribe(world)]);
  await eventually(async () => expect(await buildsOf(subscription)).toEqual(['a']));

  stopB = await world.startWorker(version('b'));
  await isCurrent('b');
  expect(await deploy('list')).toMatchObject({ a: 'draining' });
  const [second] = await Promise.all([
    begun(),
    update(world, subscription, cancelSubscriptionUpdate, { atPeriodEnd: false }),
  ]);
  expect(await paid(first)).toEqual(['a']);
  await world.client.workflow.getHandle(subscription).result();
  expect(await buildsOf(subscription)).toEqual(['a', 'b']);

  expect(await deploy('current', 'a')).toMatchObject({ a: 'current', b: 'draining' });
  const third = await begun();
  expect(await paid(second)).toEqual(['b']);
  expect(await paid(third)).toEqual(['a']);
}, 300_000);

test('a session whose build has no workers waits until they are back or the build is abandoned', async () => {
  await isCurrent('b');
  const [waiting, left] = await Promise.all([begun(), begun()]);
  await isCurrent('a');
  await stopB();
  const { runId } = await world.client.workflow.getHandle(waiting).describe();
  const click = world.pay(waiting, VISA);
  await untilTaskWaits(waiting);
  const late = sql.unsafe`
    update checkouts set next_action_at = service_clock() - interval '4 minutes' where id = ${waiting}`;
  await world.pool.query(late);
  await sweep();
  await sweep();
  expect(await world.client.workflow.getHandle(waiting).describe()).toMatchObject({
    runId,
    status: { name: 'RUNNING' },
  });
  expect(await world.view(waiting)).toMatchObject({ state: 'created', attempts: 1 });

  const stopAgain = await world.startWorker(version('b'));
  await click;
  await world.until(waiting, 'succeeded');
  expect(await buildsOf(waiting)).toEqual(['b']);
  await stopAgain();

  const lastClick = world.pay(left, VISA);
  await untilTaskWaits(left);
  await eventually(async () => expect(await ops('abandon', 'b')).toEqual({ moved: 1 }));
  await lastClick;
  await world.client.workflow.getHandle(left).result();
  expect(await buildsOf(left)).toEqual(['b', 'a']);
  for (const id of [waiting, left]) expect(await chargesOf(id)).toBe(1);
  const made = sql.unsafe`
    select after ->> 'build' as build from audit_log where action = 'deployment.make_current' order by id`;
  expect(await world.pool.any(made)).toEqual(['a', 'b', 'a', 'b', 'a'].map((build) => ({ build })));
  const abandoned = sql.unsafe`
    select distinct after ->> 'build' as build from audit_log where action = 'deployment.abandon'`;
  expect(await world.pool.any(abandoned)).toEqual([{ build: 'b' }]);
}, 300_000);

function sweep() {
  return world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
}

/** Waits until a click has reached the run and its task waits for a worker. */
async function untilTaskWaits(id: string): Promise<void> {
  await eventually(async () => {
    const { raw } = await world.client.workflow.getHandle(id).describe();
    expect(raw.pendingWorkflowTask).toBeTruthy();
  });
}

async function chargesOf(id: string): Promise<number> {
  const references = (await world.payments(id)).map((payment) => payment.id);
  const approved = (await world.ledger()).filter(({ outcome }) => outcome === 'approved');
  return approved.filter(({ reference }) => references.includes(reference)).length;
}
