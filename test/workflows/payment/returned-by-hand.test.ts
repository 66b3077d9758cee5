/** Orphaned charges that the service does not have to refund, or cannot (rule 34). */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { z } from 'zod';
import { createActivities } from '../../../activities/index.ts';
import { returned } from '../../../bin/ops/operate.ts';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { paymentAtRailOf } from '../../../db/payment/payment-at-rail.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { openRailAccount } from '../../../rail/accounts.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

/** Longer than the faults' delays. */
const CALL_SECONDS = 8;

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld({ railCallTimeoutSeconds: CALL_SECONDS });
  await world.startWorker();
});
afterAll(() => world?.close());
afterEach(() => world.faults.clear());

const sweep = () =>
  world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
const judge = (paymentId: string) => world.client.workflow.getHandle(`${paymentId}-reconcile`);
const listed = async () => (await listIncidents(world.pool)).map(({ id }) => id);

/** An attempt that has ended here but that the rail has approved. */
async function endedAttempt(productId: string): Promise<string> {
  const id = await world.session(productId);
  await world.pay(id, '4242424242424242');
  await world.until(id, 'succeeded');
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  return paymentId;
}

/** The rail's webhook turns it into an orphaned charge. */
async function hear(paymentId: string): Promise<void> {
  const { railAccountId } = world.shop;
  const webhook = { railAccountId, railEventId: randomUUID(), reference: paymentId, hint: 'approved' };
  await storeRailWebhook(world.pool, webhook);
  await world.pool.query(sql.unsafe`
    update rail_webhooks set received_at = service_clock() - interval '6 seconds' where reference = ${paymentId}`);
  await sweep();
}

/** Lists the charge without a workflow that would return it. */
const listAsOrphan = (paymentId: string) =>
  world.pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    select id, merchant_id, environment, amount, currency from payments where id = ${paymentId}`);

/** Refunds the charge like a person in the rail's dashboard. */
async function refundAtRail(paymentId: string, amountCents: number): Promise<void> {
  const row = await paymentAtRailOf(world.pool, paymentId);
  if (!row) throw new Error(`no payment ${paymentId}`);
  const { rail, account } = openRailAccount(world.deps, row);
  const reference = `by-hand-${randomUUID()}`;
  await rail.refund({
    account: { ...account, capabilities: { ...account.capabilities, refunds: true } },
    reference,
    paymentReference: paymentId,
    railReference: row.rail_order_id ?? '',
    idempotencyKey: reference,
    amountCents,
    currency: 'EUR',
    signal: AbortSignal.timeout(5_000),
  });
}

const returnedBy = (paymentId: string) =>
  world.pool.maybeOneFirst(sql.type(z.object({ returned_by: z.string().nullable() }))`
    select returned_by from orphaned_charges where payment_id = ${paymentId}`);
const untilReturned = (paymentId: string, by: string) =>
  // A call of one of the tests takes 12 s.
  eventually(async () => expect(await returnedBy(paymentId)).toBe(by));
const refundsOf = async (paymentId: string) =>
  (await world.ledger())
    .filter(({ operation, reference }) => operation === 'refund' && reference === `${paymentId}-return`)
    .map(({ amount }) => amount);

test('a charge of 0 cents has nothing to return', async () => {
  const paymentId = await endedAttempt(world.shop.products.trial);
  await hear(paymentId);
  await untilReturned(paymentId, 'cancel');
  expect(await judge(paymentId).result()).toBe('returned');
  expect(await listed()).not.toContain(paymentId);
});

test('a charge that a person refunded at the rail counts as returned', async () => {
  const paymentId = await endedAttempt(world.shop.products.oneTime);
  await refundAtRail(paymentId, 1_900);
  await hear(paymentId);
  await untilReturned(paymentId, 'refund');
  expect(await judge(paymentId).result()).toBe('returned');
  expect(await refundsOf(paymentId)).toEqual([]);
});

test('when a person has refunded a part of a charge at the rail, the remaining amount is refunded', async () => {
  const paymentId = await endedAttempt(world.shop.products.oneTime);
  await refundAtRail(paymentId, 1_000);
  await hear(paymentId);
  await untilReturned(paymentId, 'refund');
  expect(await refundsOf(paymentId)).toEqual([900]);
});

const words = ['--reason', 'rail refuses refunds', '--evidence', 'transfer of 3 May'];
const actor = async () => 'operator:ada';
const record = (paymentId: string) =>
  returned.run([paymentId, ...words, '--yes', '--json'], {
    pool: world.pool,
    temporal: world.client,
    actor,
    secondPersonAbove: null,
  } as unknown as Parameters<typeof returned.run>[1]);
const seen = async (operation: string) =>
  (await world.railRequests()).filter((request) => request.operation === operation).length;

test('money refunded by an operator while the rail was being asked is not returned again', async () => {
  const paymentId = await endedAttempt(world.shop.products.oneTime);
  const before = await seen('refundedTotal');
  world.faults.add({ operation: 'refundedTotal', mode: 'delay-after', count: 1, delayMs: 1_500 });
  await hear(paymentId);
  await eventually(async () => expect(await seen('refundedTotal')).toBeGreaterThan(before));
  await world.pool.query(sql.unsafe`
    update orphaned_charges set return_deadline = service_clock() - interval '1 second'
    where payment_id = ${paymentId}`);
  expect(await record(paymentId)).toBe(0);
  expect(await judge(paymentId).result()).toBe('returned');
  expect(await returnedBy(paymentId)).toBe('operator');
  expect(await refundsOf(paymentId)).toEqual([]);
});

test('a return is not sent if marking it as sent took longer than a call may take', async () => {
  const paymentId = await endedAttempt(world.shop.products.oneTime);
  await listAsOrphan(paymentId);
  const before = await seen('cancel');
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    await client.query('select from orphaned_charges where payment_id = $1 for update', [paymentId]);
    const returning = new MockActivityEnvironment().run(createActivities(world.deps).returnCharge, paymentId);
    await eventually(async () =>
      expect(
        await world.pool.exists(sql.unsafe`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      ).toBe(true),
    );
    await pause(1_000 * CALL_SECONDS + 300);
    await client.query('commit');
    expect(await returning).toBeNull();
  } finally {
    await client.end();
  }
  expect(await seen('cancel')).toBe(before);
});

test('a manual return is refused while a call that returns the money may be in flight', async () => {
  const paymentId = await endedAttempt(world.shop.products.oneTime);
  world.faults.add({ operation: 'refund', mode: 'delay', count: 1, delayMs: 12_000 });
  const before = await seen('refund');
  await hear(paymentId);
  await eventually(async () => expect(await seen('refund')).toBeGreaterThan(before));
  await expect(record(paymentId)).rejects.toThrow('is currently being asked');
  await untilReturned(paymentId, 'refund');
  expect(await refundsOf(paymentId)).toEqual([1_900]);
});

/** Makes one of the adapter's calls throw. */
function returnWithFault(paymentId: string, operation: 'cancel' | 'refund'): Promise<unknown> {
  const faulty = async () => {
    throw new TypeError('a fault of the adapter');
  };
  const rails = new Map(
    [...world.deps.rails].map(([name, rail]) => [name, { ...rail, [operation]: faulty }]),
  );
  const { returnCharge } = createActivities({ ...world.deps, rails });
  return new MockActivityEnvironment().run(returnCharge, paymentId);
}

test.each(['cancel', 'refund'] as const)(
  'a manual return is recorded immediately after the adapter threw in its %s',
  async (operation) => {
    const paymentId = await endedAttempt(world.shop.products.oneTime);
    await listAsOrphan(paymentId);
    await expect(returnWithFault(paymentId, operation)).rejects.toThrow('returnCharge failed');
    expect(await record(paymentId)).toBe(0);
    expect(await returnedBy(paymentId)).toBe('operator');
  },
);

test('an earlier unanswered call still blocks a manual return after the adapter threw', async () => {
  const paymentId = await endedAttempt(world.shop.products.oneTime);
  await listAsOrphan(paymentId);
  await world.pool.query(sql.unsafe`
    update orphaned_charges set return_deadline = service_clock() + interval '1 minute'
    where payment_id = ${paymentId}`);
  await expect(returnWithFault(paymentId, 'refund')).rejects.toThrow('returnCharge failed');
  await expect(record(paymentId)).rejects.toThrow('is currently being asked');
});

test('money returned by other means is recorded by `ops returned`, and not returned again', async () => {
  const paymentId = await endedAttempt(world.shop.products.oneTime);
  world.faults.add({ operation: 'refund', mode: '500', count: 1_000, delayMs: 0 });
  await hear(paymentId);
  await eventually(async () => expect(await listed()).toContain(paymentId));
  // The workflow may begin another call at any time.
  await eventually(async () => {
    await world.pool.query(sql.unsafe`
      update orphaned_charges set return_deadline = null where payment_id = ${paymentId}`);
    expect(await record(paymentId)).toBe(0);
  });
  expect(await returnedBy(paymentId)).toBe('operator');
  expect(await judge(paymentId).result()).toBe('returned');
  await keepHistory(judge(paymentId), 'reconcile-returned-by-hand');
  expect(await listed()).not.toContain(paymentId);
  const audited = await world.pool.one(sql.type(z.object({ actor: z.string(), after: z.unknown() }))`
    select actor, after from audit_log where subject_id = ${paymentId}`);
  expect(audited).toEqual({
    actor: 'operator:ada',
    after: {
      returned_by: 'operator',
      amount: 1_900,
      currency: 'EUR',
      operator: 'operator:ada',
      reason: 'rail refuses refunds',
      evidence: 'transfer of 3 May',
    },
  });

  world.faults.clear();
  await hear(paymentId);
  expect(await judge(paymentId).result()).toBe('returned');
  expect(await refundsOf(paymentId)).toEqual([]);
  expect(await record(paymentId)).toBe(0);
  expect(await record('ap_pay_nobody')).toBe(1);
});
