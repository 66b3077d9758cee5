/** Runs whose tasks keep failing are replaced as soon as something waits for them (rule 45). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { presentNews } from '../../../activities/sweep/present-news.ts';
import { replaceStuckRuns } from '../../../activities/sweep/replace-stuck-runs.ts';
import { claimResender } from '../../../activities/sweep/resend-claims.ts';
import { sql } from '../../../db/core/pool.ts';
import { storeRailNews } from '../../../db/payment/rail-news.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { sessionOf, wake } from '../../../platform/temporal/send.ts';
import { startReconcile, tellReconcile } from '../../../platform/temporal/start-workflows.ts';
import { endIfStandsStill, endIfStuck } from '../../../platform/temporal/stuck-runs.ts';
import { taskQueue } from '../../../workflows/core/messages.ts';
import {
  PRUNE_EVENTS_SCHEDULE_ID,
  PRUNE_EVENTS_WORKFLOW,
} from '../../../workflows/webhook/prune-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertSession } from '../../support/db/fixtures.ts';
import { withOldRuns } from '../../support/temporal/old-runs.ts';
import { isTerminated, startStuckRun } from '../../support/temporal/stuck-run.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { changeMethod, subscribe } from '../../support/world/subscription-world.ts';

const CARD = '4242424242424242';
const SESSIONS = taskQueue('checkout', 'sandbox');

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());

/** A claimed click unknown to the rail, and a run that cannot send it. */
async function claimedBehindStuckRun() {
  const { id } = await insertSession(world.pool, world.shop, world.shop.products.oneTime);
  const claimId = randomUUID();
  await world.storeClick(id, CARD, claimId);
  const stuck = await startStuckRun(world.client, id, SESSIONS);
  expect(await claimAttempt(world.pool, { checkoutId: id, claimId })).toMatchObject({ kind: 'claimed' });
  return { id, stuck };
}

async function chargedOnce(id: string): Promise<void> {
  await world.until(id, 'succeeded');
  const [payment] = await world.payments(id);
  expect((await world.ledger()).filter(({ reference }) => reference === payment?.id)).toHaveLength(1);
}

/** Simulates a restore: the rail charged, the database has the attempt as cancelled. */
async function cancelledHere(): Promise<string> {
  const id = await world.session();
  await world.pay(id, CARD);
  await world.until(id, 'succeeded');
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  return paymentId;
}

test('a stuck return is replaced when a webhook arrives, and the buyer is refunded once', async () => {
  const paymentId = await cancelledHere();
  const stuck = await startStuckRun(world.client, `${paymentId}-reconcile`, SESSIONS);
  const { railAccountId } = world.shop;
  await storeRailNews(world.pool, {
    railAccountId,
    railEventId: 'n',
    reference: paymentId,
    hint: 'approved',
  });
  await world.pool.query(
    sql.unsafe`update rail_news set received_at = service_clock() - interval '1 minute'`,
  );
  await presentNews(world.deps);
  await eventually(async () => {
    const isBack = await world.pool.exists(sql.unsafe`
      select from orphaned_charges where payment_id = ${paymentId} and returned_at is not null`);
    expect(isBack).toBe(true);
  });
  expect(await isTerminated(world.client, stuck)).toBe(true);
});

/** A charge whose return the rail rejects, and the first run that requests it. */
async function refusedReturn() {
  const paymentId = await cancelledHere();
  const { merchantId } = world.shop;
  const payment = { paymentId, merchantId, environment: 'sandbox' } as const;
  world.faults.add({ operation: 'refund', mode: '500', count: 1_000, delayMs: 0 });
  await startReconcile(world.client, payment);
  const workflowId = `${paymentId}-reconcile`;
  const { runId: firstExecutionRunId } = await world.client.workflow.getHandle(workflowId).describe();
  const run = world.client.workflow.getHandle(workflowId, firstExecutionRunId);
  const untilAsleep = (rounds: number) =>
    eventually(async () => {
      const { events } = await run.fetchHistory();
      expect(events?.filter((event) => event.timerStartedEventAttributes)).toHaveLength(rounds);
    });
  const refundOnce = async () => {
    world.faults.clear();
    await tellReconcile(world.client, payment);
    expect(await world.client.workflow.getHandle(workflowId).result()).toBe('returned');
    const back = (await world.ledger()).filter(({ reference }) => reference === `${paymentId}-return`);
    expect(back).toHaveLength(1);
  };
  return { payment, run, untilAsleep, refundOnce };
}

/** These are the newest events of every run. */
function remembering(...names: readonly string[]): Client {
  const events = names.map((name) => ({ [`${name}EventAttributes`]: {} }));
  const newest = { value: async () => ({ history: { events } }) };
  const service = Object.create(world.client.workflowService, { getWorkflowExecutionHistoryReverse: newest });
  return Object.create(world.client, { workflowService: { value: service } });
}

test('a return whose run sleeps again instead of asking the rail is replaced once it is old', async () => {
  const { payment, run, untilAsleep, refundOnce } = await refusedReturn();
  await untilAsleep(1);
  const ahead = remembering('timerStarted', 'workflowTaskCompleted', 'timerFired', 'activityTaskScheduled');
  await startReconcile(ahead, payment);
  expect((await run.describe()).status.name).toBe('RUNNING');
  await startReconcile(withOldRuns(ahead), payment);
  expect((await run.describe()).status.name).toBe('TERMINATED');
  await refundOnce();
});

test('a return that the rail rejects is left alone between its rounds, however old', async () => {
  const { payment, run, untilAsleep, refundOnce } = await refusedReturn();
  for (let rounds = 1; rounds <= 2; rounds += 1) {
    await untilAsleep(rounds);
    await startReconcile(withOldRuns(world.client), payment);
    expect((await run.describe()).status.name).toBe('RUNNING');
  }
  await refundOnce();
});

test('the relay replaces a stuck run to resend a claim, and the buyer is charged once', async () => {
  const { id, stuck } = await claimedBehindStuckRun();
  await world.pool.query(sql.unsafe`
    update checkouts set next_action_at = service_clock() - interval '1 second' where id = ${id}`);
  const resend = claimResender(world.deps);
  await eventually(async () => {
    await resend();
    expect(await isTerminated(world.client, stuck)).toBe(true);
  });
  await chargedOnce(id);
});

test('waking a session of a restored database replaces its stuck run', async () => {
  const { id, stuck } = await claimedBehindStuckRun();
  await wake(world.client, sessionOf(world.deps, id));
  expect(await isTerminated(world.client, stuck)).toBe(true);
  await chargedOnce(id);
});

/** The embedded server does not list runs whose tasks fail. */
function listing(workflowIds: readonly string[]): Client {
  const list = async function* () {
    for (const workflowId of workflowIds) yield { workflowId };
  };
  const workflow = Object.create(world.client.workflow, { list: { value: list } });
  return Object.create(world.client, { workflow: { value: workflow } });
}

test('a method change that has ended wakes its subscription instead', async () => {
  const subscriptionId = await subscribe(world);
  const { id } = await changeMethod(world, subscriptionId);
  await world.client.workflow.getHandle(id).terminate('lost in this test');
  await world.pool.query(sql.unsafe`
    update checkouts set state = 'failed', failure_reason = 'expired', finished_at = service_clock(), next_action_at = null where id = ${id}`);
  const stuck = await startStuckRun(world.client, id, SESSIONS);
  const wakes = async () => {
    const { events } = await world.client.workflow.getHandle(subscriptionId).fetchHistory();
    return events?.filter((event) => event.workflowExecutionSignaledEventAttributes).length;
  };
  expect(await wakes()).toBe(0);
  await replaceStuckRuns({ ...world.deps, client: listing([id]) });
  expect(await isTerminated(world.client, stuck)).toBe(true);
  expect(await wakes()).toBe(1);
});

// Temporal's own answer, when a worker whose run is ahead has completed the task and ignored the update.
test('a run that ignores an update is terminated', async () => {
  const id = await world.session();
  const run = await world.client.workflow.getHandle(id).describe();
  const of = (type: string) =>
    new WorkflowUpdateFailedError('refused', ApplicationFailure.create({ type, message: 'refused' }));
  const isRunning = async () =>
    expect((await world.client.workflow.getHandle(id).describe()).status.name).toBe('RUNNING');
  expect(await endIfStuck(world.client, id, of('AnotherRefusal'), new Date())).toBe(false);
  await isRunning();
  // Another caller has replaced it since the update was sent.
  const before = new Date(run.startTime.getTime() - 1);
  expect(await endIfStuck(world.client, id, of('UnprocessedUpdate'), before)).toBe(true);
  await isRunning();
  expect(await endIfStuck(world.client, id, of('UnprocessedUpdate'), new Date())).toBe(true);
  const ended = await world.client.workflow.getHandle(id, run.runId).describe();
  expect(ended.status.name).toBe('TERMINATED');
});

test('hundreds of listed runs that cannot be replaced do not block the others', async () => {
  const others = Array.from({ length: 300 }, (_, n) => `ap_pay_${n}-reconcile`);
  const logged: object[] = [];
  const logger = {
    ...world.deps.logger,
    error: (fields: object) => logged.push(fields),
  } as unknown as Logger;
  await replaceStuckRuns({ ...world.deps, logger, client: listing([...others, 'ap_whe_none']) });
  expect(logged).toEqual([{ workflowId: 'ap_whe_none', started: false }]);
});

test('a server without a list of failing runs is reported once', async () => {
  const list = async function* () {
    yield* [];
    throw Object.assign(new Error('invalid query'), { code: 3, details: '', metadata: {} });
  };
  const workflow = Object.create(world.client.workflow, { list: { value: list } });
  const client: Client = Object.create(world.client, { workflow: { value: workflow } });
  const warned: string[] = [];
  const warn = (message: string) => warned.push(message);
  const logger = { ...world.deps.logger, warn } as unknown as Logger;
  for (let times = 0; times < 2; times += 1) await replaceStuckRuns({ ...world.deps, logger, client });
  expect(warned).toEqual([expect.stringContaining('does not list failing runs')]);
});

test('a stuck deletion of old events is ended, so that its Schedule starts the next', async () => {
  const workflowId = `${PRUNE_EVENTS_SCHEDULE_ID}-stands-still`;
  // No worker serves this task queue, and the first task is never assigned: the run waits for a task.
  const waiting = { taskQueue: 'nobody', workflowId };
  await world.client.workflow.start(PRUNE_EVENTS_WORKFLOW, waiting);
  for (let times = 0; times < 2; times += 1)
    expect(await endIfStandsStill(world.client, workflowId, -1)).toBe(false);
  await world.client.workflow.getHandle(workflowId).terminate();
  // A run that waits for a signal stands in for one that is ahead: it is idle.
  const id = await world.session();
  expect(await endIfStandsStill(world.client, id, -1)).toBe(false);
  expect(await endIfStandsStill(world.client, id, 60_000)).toBe(false);
  expect(await endIfStandsStill(world.client, id, -1)).toBe(true);
  expect(await endIfStandsStill(world.client, id)).toBe(true);
});
