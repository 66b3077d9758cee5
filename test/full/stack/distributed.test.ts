/**
 * Purchases on the production stack (`npm run stack -- --temporal=postgres --apis 2 --workers 3`): the
 * distributed Temporal server on PostgreSQL, two API processes behind one address, three workers. @needs
 * temporal-server
 */
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { DEFAULT_DEPLOYMENT, listBuilds } from '../../../platform/temporal/deployments.ts';
import { sweepNow } from '../../../platform/temporal/sweep-now.ts';
import { eventually } from '../../support/core/eventually.ts';
import { BARE_ENV } from '../../support/stack/process.ts';
import { replayAll } from '../../support/temporal/replay.ts';
import { type DistributedStack, startDistributed } from './distributed-stack.ts';
import { openExpiringSessions } from './expiring-sessions.ts';

const PURCHASES = 16;
const AT_ONCE = 6;
const A_SECOND = 2;
/** The limit of purchases in progress, for a machine that completes fewer per second. */
const UNDER_WAY = 30;
const EXPIRING = 300;
/** Most of this time is spent on opening the sessions. */
const EXPIRE_IN_MS = 45_000;
const NO_WORKFLOW = 'typeOfAnotherBuild';

let stack: DistributedStack;
let client: Client;
beforeAll(async () => {
  stack = await startDistributed({ apis: 2, workers: 3 }, { BUILD_ID: 'a' });
  client = openTemporal({ address: stack.dev.temporalAddress, namespace: 'default' });
  await eventually(() => makeCurrent('a'), 60_000);
  // On a new machine this builds the Temporal server, which takes three minutes on two idle cores.
}, 900_000);
afterAll(async () => {
  await client?.connection.close();
  await stack?.stop();
});

async function buyMany(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let left = count;
  const buyer = async () => {
    while (left-- > 0) ids.push(await stack.buy());
  };
  await Promise.all(Array.from({ length: AT_ONCE }, buyer));
  return ids;
}

async function countOf(metricsUrl: string, name: RegExp): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  const lines = text.split('\n').filter((line) => name.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('dev.json omits Temporal UI if none runs', () => {
  expect(stack.dev.temporalAddress).toMatch(/^127/);
  expect(stack.dev).not.toHaveProperty('temporalUiUrl');
});

test('every process handles a share of the purchases', async () => {
  await stack.chargedOnceEach(await buyMany(PURCHASES));
  const { apis, workers } = stack.processes;
  for (const { metrics } of apis) {
    expect(await countOf(metrics, /^http_server_request_duration_seconds_count/)).toBeGreaterThan(PURCHASES);
  }
  await eventually(async () => {
    for (const { metrics } of workers) {
      expect(await countOf(metrics, /^temporal_workflow_task_execution_latency\w*_count/)).toBeGreaterThan(0);
    }
  });
});

test('a run whose tasks fail is replaced although none of its rows is late', async () => {
  const finish = await stack.begin();
  const running = async (type: string) => {
    const query = `WorkflowType = "${type}" AND ExecutionStatus = "Running"`;
    for await (const { workflowId } of client.workflow.list({ query })) return workflowId;
    throw new Error(`no ${type} is running`);
  };
  const stuck = await Promise.all([
    stick(await eventually(() => running('checkout')), 'sandbox-checkout'),
    stick(await eventually(() => running('deliverEvents')), 'sandbox-webhooks'),
  ]);
  await eventually(async () => {
    await sweepNow(client);
    for (const { workflowId, runId } of stuck) {
      const run = await client.workflow.getHandle(workflowId).describe();
      expect(run.runId).not.toBe(runId);
      expect(run.type).not.toBe(NO_WORKFLOW);
    }
  }, 100_000);
  await stack.chargedOnceEach([await finish()]);
});

/** Replaces a run by one whose tasks fail, as with a history that no code can replay. */
async function stick(workflowId: string, queue: string): Promise<{ workflowId: string; runId: string }> {
  await client.workflow.getHandle(workflowId).terminate('lost in this test');
  const { firstExecutionRunId } = await client.workflow.start(NO_WORKFLOW, { workflowId, taskQueue: queue });
  return { workflowId, runId: firstExecutionRunId };
}

test("a click is handled before its own merchant's expiring sessions, and its history replays", async () => {
  const { id: merchantId, apiKey, products } = stack.dev.others.second;
  const burst = await openExpiringSessions(stack.dev);
  try {
    const expireAt = Date.now() + EXPIRE_IN_MS;
    await burst.expireAt(expireAt, EXPIRING);
    await pause(expireAt + 1_000 - Date.now());
    const left = () => burst.waiting();
    const id = await stack.buy({ apiKey, productId: products.oneTime });
    // In order of arrival, the click would come after all expiries.
    expect(await left()).toBeGreaterThan(EXPIRING / 4);
    const history = await client.workflow.getHandle(id).fetchHistory();
    const changed = (history.events ?? []).flatMap(
      (event) => event.workflowExecutionOptionsUpdatedEventAttributes ?? [],
    );
    expect(changed[0]?.priority).toMatchObject({ priorityKey: 2, fairnessKey: merchantId });
    await replayAll([{ workflowId: id, history }]);
  } finally {
    await burst.end();
  }
});

/** Replaced with the operator's command. */
async function makeCurrent(build: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['bin/ops.ts', 'deploy', 'current', build], {
    env: {
      ...BARE_ENV,
      DATABASE_URL: stack.dev.databaseUrl,
      TEMPORAL_ADDRESS: stack.dev.temporalAddress,
    },
  });
}

async function buildNamed(name: string) {
  return (await listBuilds(client, DEFAULT_DEPLOYMENT)).find(({ buildId }) => buildId === name);
}

/** The builds that completed the workflow's tasks. */
async function buildsOf(id: string): Promise<ReadonlySet<string | null | undefined>> {
  const { events } = await client.workflow.getHandle(id).fetchHistory();
  const tasks = (events ?? []).flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
  return new Set(tasks.map(({ deploymentVersion }) => deploymentVersion?.buildId));
}

/** Begins two purchases a second, or fewer on a machine that is too busy to complete them. */
function load(): { stop(): void; begun(): number; ended(): Promise<readonly string[]> } {
  const ended: Promise<PromiseSettledResult<string>>[] = [];
  let open = 0;
  const timer = setInterval(() => {
    if (open >= UNDER_WAY) return;
    open += 1;
    const buying = Promise.allSettled([stack.buy()]);
    ended.push(buying.then(([each]) => each));
    void buying.then(() => (open -= 1));
  }, 1_000 / A_SECOND);
  return {
    stop: () => clearInterval(timer),
    begun: () => ended.length,
    async ended() {
      return (await Promise.all(ended)).map((each) => {
        if (each.status === 'rejected') throw each.reason;
        return each.value;
      });
    },
  };
}

/** Deploys a build: new workers, new APIs, and the old workers stop once their sessions have ended. */
async function change(from: string, to: string, oldWorkers: readonly string[]): Promise<readonly string[]> {
  const finishing = await Promise.all([stack.begin(), stack.begin()]);
  const pages = await Promise.all([stack.openPage(), stack.openPage(), stack.openPage()]);
  await stack.startLike('worker', `worker-${to}`, { BUILD_ID: to });
  await eventually(() => makeCurrent(to), 60_000);
  await stack.replaceApis();
  for (const page of pages) {
    await page.payAndSee();
    expect(page.openings()).toBeGreaterThan(1);
    page.close();
  }
  const ids = await Promise.all(finishing.map((finish) => finish()));
  for (const id of ids) expect(await buildsOf(id)).toEqual(new Set([from]));
  expect(await buildNamed(from)).toMatchObject({ state: 'draining' });
  await eventually(async () => expect((await buildNamed(from))?.open).toBe(0), 60_000);
  const exits = await Promise.all(oldWorkers.map((name) => stack.part(name).stop()));
  expect(exits.map(({ code }) => code)).toEqual(oldWorkers.map(() => 0));
  return [...ids, ...pages.map(({ sessionId }) => sessionId)];
}
test('killing an API and a worker loses no purchase', async () => {
  const buying = buyMany(PURCHASES);
  await stack.purchases(4);
  stack.part('worker-3').kill('SIGKILL');
  stack.part('api-2').kill('SIGKILL');
  await stack.chargedOnceEach(await buying);
});

test('under load a deploy and its roll-back lose no purchase; sessions end on the build that began them', async () => {
  const begunAt = performance.now();
  const buying = load();
  const through = async () => [
    ...(await change('a', 'b', ['worker', 'worker-2'])),
    ...(await change('b', 'a', ['worker-b'])),
  ];
  const changed = await through().finally(buying.stop);
  const offered = buying.begun();
  const seconds = (performance.now() - begunAt) / 1_000;
  console.log(
    `${offered} purchases begun in ${seconds.toFixed(0)} s: ${(offered / seconds).toFixed(1)} a second`,
  );
  const bought = await buying.ended();
  expect(bought.length).toBeGreaterThan(PURCHASES);
  await stack.chargedOnceEach([...changed, ...bought]);
}, 300_000);
