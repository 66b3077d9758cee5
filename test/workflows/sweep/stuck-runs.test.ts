/** Runs whose tasks keep failing are replaced as soon as something waits for them (rule 45). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { presentWebhooks } from '../../../activities/sweep/present-webhooks.ts';
import { replaceStuckRuns } from '../../../activities/sweep/replace-stuck-runs.ts';
import { claimResender } from '../../../activities/sweep/resend-claims.ts';
import { sql } from '../../../db/core/pool.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { wake } from '../../../platform/temporal/messages.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertSession } from '../../support/db/fixtures.ts';
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

test('a stuck run of a return is replaced when a webhook arrives, and the buyer is refunded once', async () => {
  const paymentId = await cancelledHere();
  const stuck = await startStuckRun(world.client, `${paymentId}-reconcile`, SESSIONS);
  const { railAccountId } = world.shop;
  await storeRailWebhook(world.pool, {
    railAccountId,
    railEventId: 'n',
    reference: paymentId,
    hint: 'approved',
  });
  await world.pool.query(
    sql.unsafe`update rail_webhooks set received_at = service_clock() - interval '1 minute'`,
  );
  await presentWebhooks(world.deps);
  await eventually(async () => {
    const isBack = await world.pool.exists(sql.unsafe`
      select from orphaned_charges where payment_id = ${paymentId} and returned_at is not null`);
    expect(isBack).toBe(true);
  });
  expect(await isTerminated(world.client, stuck)).toBe(true);
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

test('a stuck run of a session in a restored database is replaced when it is signalled', async () => {
  const { id, stuck } = await claimedBehindStuckRun();
  await wake(world.deps, id);
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

test('a stuck method change that has ended is not replaced; its subscription is signalled', async () => {
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

test('hundreds of stuck runs that cannot be replaced do not block the replacement of others', async () => {
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
