/** Disputes on the sandbox rail: rows, alerts, and the end of a subscription's renewals. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { carryOut } from '../../../api/operations/carry-out.ts';
import { subjectById } from '../../../api/operations/command-handlers.ts';
import { disputeClose } from '../../../bin/ops/operate.ts';
import { sql } from '../../../db/core/pool.ts';
import { disputedPayments } from '../../../db/dispute/disputed-payments.ts';
import { recordDisputes } from '../../../db/dispute/record-disputes.ts';
import { closeIncident } from '../../../db/operations/close-incident.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { factsOf } from '../../../db/operations/subject-facts.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { fenceIfRestored } from '../../../db/restore/fence.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import type { DisputeStatus } from '../../../domain/dispute/dispute.ts';
import { ensureSchedules } from '../../../worker/namespace.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { RESTORE_WORKFLOW, restoreStart } from '../../../workflows/restore/restore-messages.ts';
import { SWEEP_SCHEDULE_ID, SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertPurchase } from '../../support/db/fixtures.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  chargesOf,
  subscribe,
  untilView,
  viewOf,
} from '../../support/world/subscription-world.ts';

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());
beforeEach(() => decide(false));

const sweep = () =>
  world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });

/** The merchant's decision about subscriptions with a lost dispute. */
async function decide(renew: boolean): Promise<void> {
  await world.pool.query(sql.unsafe`
    update merchants set renew_after_lost_dispute = ${renew} where id = ${world.shop.merchantId}`);
}

async function atBank(path: string, body: object): Promise<void> {
  const response = await fetch(`${world.railUrl}/admin/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: world.shop.railAccountId, ...body }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
}

async function hear(paymentId: string): Promise<void> {
  const { railAccountId } = world.shop;
  const webhook = { railAccountId, railEventId: randomUUID(), reference: paymentId, hint: 'dispute' };
  await storeRailWebhook(world.pool, webhook);
  await sweep();
}

/** A dispute that the rail does not know. */
async function record(paymentId: string, status: DisputeStatus): Promise<void> {
  const { merchantId, railAccountId } = world.shop;
  const scope = { merchantId, environment: 'sandbox', railAccountId } as const;
  await recordDisputes(world.pool, { paymentId, ...scope, railEventIds: [] }, [
    {
      railDisputeId: `dp_${paymentId}`,
      status,
      amountCents: 1_900,
      currency: 'EUR',
      reason: 'fraudulent',
      openedAt: '2026-01-31T09:30:00.000Z',
      evidenceDueBy: null,
    },
  ]);
}

async function openDispute(paymentId: string): Promise<void> {
  await atBank('disputes', { reference: paymentId });
  await hear(paymentId);
}

async function decideDispute(paymentId: string, status: 'won' | 'lost'): Promise<void> {
  await atBank('disputes/decision', { reference: paymentId, status });
  await hear(paymentId);
}

async function paid(card = '4242424242424242'): Promise<string> {
  const id = await world.session();
  await world.pay(id, card);
  await world.until(id, 'succeeded');
  return (await world.payments(id))[0]?.id ?? '';
}

const firstPaymentOf = (subscriptionId: string) =>
  world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from payments p join subscriptions s on s.checkout_id = p.checkout_id
    where s.id = ${subscriptionId}`);

const row = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.number(),
  evidence_due_by: z.string().nullable(),
  subscription_id: z.string().nullable(),
});
const disputesOf = (paymentId: string) =>
  world.pool.any(sql.type(row)`
    select id, status, amount, evidence_due_by, subscription_id from disputes where payment_id = ${paymentId}`);

const alert = z.object({ alert: z.object({ code: z.string() }), dispute: z.record(z.string(), z.json()) });
async function alertsOf(paymentId: string) {
  const bodies = await world.pool.anyFirst(sql.type(z.object({ body: z.string() }))`
    select body from events e join disputes d on e.aggregate_id in (d.id || '-open', d.id || '-lost')
    where d.payment_id = ${paymentId} order by e.occurred_at`);
  return bodies.map((body) => alert.parse(JSON.parse(body)));
}
const needsAttention = async () =>
  (await listIncidents(world.pool))
    .filter(({ kind }) => kind === 'dispute_open')
    .map(({ id, amount }) => [id, amount]);

describe('an operator’s question about an open dispute', () => {
  const ask = async (id: string, timeoutMs: number) => {
    const subject = await subjectById(world.pool, id, null);
    if (!subject) throw new Error(`no subject ${id}`);
    const deps = { ...world.deps, secondPersonAbove: null, timeoutMs };
    return carryOut(deps, subject, { command: 'ask' }, { actor: 'person:ada' });
  };
  const railHistory = async (id: string) => {
    const subject = await subjectById(world.pool, id, null);
    return subject && (await factsOf(world.pool, subject)).history.map(({ what }) => what);
  };

  test('makes the sweep ask the rail immediately, without a webhook, and returns the answer', async () => {
    const paymentId = await paid();
    await openDispute(paymentId);
    const [dispute] = await disputesOf(paymentId);
    const id = dispute?.id ?? '';
    await ensureSchedules(world.client);
    try {
      expect(await ask(id, 30_000)).toMatchObject({
        done: true,
        message: expect.stringContaining('is open'),
      });
      await atBank('disputes/decision', { reference: paymentId, status: 'won' });
      expect(await ask(id, 30_000)).toMatchObject({ done: true, message: expect.stringContaining('is won') });
    } finally {
      await world.client.schedule.getHandle(SWEEP_SCHEDULE_ID).delete();
    }
    expect((await disputesOf(paymentId))[0]?.status).toBe('won');
  });

  test('stays open until a later sweep can ask the rail', async () => {
    const paymentId = await paid();
    await openDispute(paymentId);
    const id = (await disputesOf(paymentId))[0]?.id ?? '';
    const said = await ask(id, 0);
    expect(said).toMatchObject({ done: false, message: expect.stringContaining('asked each minute until') });
    expect(await railHistory(id)).toContain(
      'an operator asked about the dispute: the rail is asked until it answers',
    );
    await sweep();
    expect(await railHistory(id)).toContain(
      'an operator asked about the dispute: the rail has answered since',
    );
  });
});

test('a new dispute is stored, alerts with amount and due date, and is listed until it is decided', async () => {
  const paymentId = await paid();
  await openDispute(paymentId);
  const [dispute] = await disputesOf(paymentId);
  expect(dispute).toMatchObject({ status: 'open', amount: 1_900, evidence_due_by: expect.any(String) });
  expect(await alertsOf(paymentId)).toEqual([
    {
      alert: { code: 'dispute_opened' },
      dispute: {
        id: dispute?.id,
        payment_id: paymentId,
        status: 'open',
        amount: 1_900,
        currency: 'EUR',
        evidence_due_by: dispute?.evidence_due_by,
      },
    },
  ]);
  expect(await needsAttention()).toContainEqual([dispute?.id, 1_900]);
  const status = await world.pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from payments where id = ${paymentId}`);
  expect(status).toBe('succeeded');

  await decideDispute(paymentId, 'won');
  expect(await needsAttention()).not.toContainEqual([dispute?.id, 1_900]);
  expect(await alertsOf(paymentId)).toHaveLength(1);
  expect((await disputesOf(paymentId))[0]).toMatchObject({ status: 'won', evidence_due_by: null });
});

test('a subscription with a lost dispute ends with its period, and is not charged again', async () => {
  const id = await subscribe(world);
  const paymentId = await firstPaymentOf(id);
  await openDispute(paymentId);
  expect((await viewOf(world, id)).cancelAtPeriodEnd).toBe(false);
  await decideDispute(paymentId, 'lost');
  expect((await alertsOf(paymentId)).map((each) => each.alert.code)).toEqual([
    'dispute_opened',
    'dispute_lost',
  ]);
  expect(await disputesOf(paymentId)).toMatchObject([{ status: 'lost', subscription_id: id }]);
  expect(await viewOf(world, id)).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
  const later = await afterFirstPeriod(world, id);
  expect(await advance(world, id, later(1))).toMatchObject({ status: 'cancelled' });
  expect(await chargesOf(world, id)).toEqual([]);
});

test('a renewal claimed but not sent when a dispute is lost is looked up, and not sent', async () => {
  const id = await subscribe(world);
  const paymentId = await firstPaymentOf(id);
  await world.stopWorker();
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock(), next_action_at = service_clock() where id = ${id}`);
  await renewPeriod(world.pool, id);
  const { openAttempt: claimed } = await viewOf(world, id);
  expect(claimed).toMatchObject({ called: false });
  await record(paymentId, 'lost');
  await world.startWorker();
  await world.client.workflow.getHandle(id).signal(wakeSignal);
  await untilView(world, id, ({ openAttempt }) => openAttempt === null);
  expect(await chargesOf(world, id)).toEqual([]);
  // Without the mark, a rail whose cancel does not hold is asked repeatedly.
  const marked = sql.unsafe`
    select from payments where id = ${claimed?.attemptId ?? ''} and call_started_at is not null`;
  expect(await world.pool.exists(marked)).toBe(true);
});

test('a subscription whose merchant decided to keep it renews after a lost dispute', async () => {
  await decide(true);
  const id = await subscribe(world);
  const paymentId = await firstPaymentOf(id);
  await openDispute(paymentId);
  await decideDispute(paymentId, 'lost');
  const later = await afterFirstPeriod(world, id);
  expect(await advance(world, id, later(1))).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
  expect(await chargesOf(world, id)).toEqual([900]);
});

test('a webhook alone is not trusted: the rail is asked repeatedly until it answers', async () => {
  const paymentId = await paid();
  const unheard = () =>
    world.pool.exists(sql.unsafe`
      select from rail_webhooks where reference = ${paymentId} and applied_at is null`);
  world.faults.add({ operation: 'listDisputes', mode: '500', count: 1, delayMs: 0 });
  await hear(paymentId);
  expect(await unheard()).toBe(true);
  await sweep();
  expect(await unheard()).toBe(false);
  expect(await disputesOf(paymentId)).toEqual([]);
});

test('a webhook about a payment unknown to the rail stays open for a day: notFound is not an answer', async () => {
  const { paymentId } = await insertPurchase(world.pool, world.shop, world.shop.products.oneTime);
  const isAsked = async () =>
    (await disputedPayments(world.pool, 500)).some((payment) => payment.paymentId === paymentId);
  const aDayLater = () =>
    world.pool.query(sql.unsafe`
      update rail_webhooks set received_at = received_at - interval '25 hours' where reference = ${paymentId}`);
  const listed = async () =>
    (await listIncidents(world.pool, { kinds: ['dispute_not_found'] })).map(({ id }) => id);
  const alerts = () =>
    world.pool.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*)::integer as count from operator_alerts where reference = ${paymentId}`);
  const hearInVain = async () => {
    await hear(paymentId);
    expect(await isAsked()).toBe(true);
    await aDayLater();
    await sweep();
    expect(await isAsked()).toBe(false);
  };

  await hearInVain();
  expect(await listed()).toEqual([paymentId]);
  await hearInVain();
  expect(await alerts()).toBe(1);
  const by = { actor: 'person:ada', reason: 'the payment was deleted at the rail' };
  expect(await closeIncident(world.pool, 'dispute_not_found', paymentId, by)).toBe(true);
  expect(await listed()).toEqual([]);
  await hearInVain();
  expect(await listed()).toEqual([paymentId]);
});

test('an open dispute is looked up daily, so a lost webhook only delays its end', async () => {
  const paymentId = await paid('4000009000000524');
  await hear(paymentId);
  expect(await disputesOf(paymentId)).toMatchObject([{ status: 'open' }]);
  await atBank('disputes/decision', { reference: paymentId, status: 'lost' });
  await sweep();
  expect(await disputesOf(paymentId)).toMatchObject([{ status: 'open' }]);
  await world.pool.query(sql.unsafe`
    update disputes set asked_at = service_clock() - interval '25 hours' where payment_id = ${paymentId}`);
  await sweep();
  expect(await disputesOf(paymentId)).toMatchObject([{ status: 'lost' }]);
});

test('after a restore an open dispute is looked up immediately: it may have ended in the lost interval', async () => {
  const paymentId = await paid('4000009000000524');
  await hear(paymentId);
  await atBank('disputes/decision', { reference: paymentId, status: 'lost' });
  const epoch = await fenceIfRestored(world.pool, {
    sweepNumber: null,
    announced: { actor: 'operator:ada' },
  });
  await world.client.workflow.execute(RESTORE_WORKFLOW, restoreStart(epoch ?? 0));
  expect(await disputesOf(paymentId)).toMatchObject([{ status: 'open' }]);
  await sweep();
  expect(await disputesOf(paymentId)).toMatchObject([{ status: 'lost' }]);
});

test('a dispute that the rail no longer lists is looked up daily, not by every sweep', async () => {
  const paymentId = await paid();
  await record(paymentId, 'open');
  await world.pool.query(sql.unsafe`
    update disputes set asked_at = service_clock() - interval '25 hours' where payment_id = ${paymentId}`);
  await sweep();
  const due = await disputedPayments(world.pool, 500);
  expect(due.map((payment) => payment.paymentId)).not.toContain(paymentId);
});

test('an operator’s decision that a dispute is lost reaches the subscription’s workflow immediately', async () => {
  const id = await subscribe(world);
  const paymentId = await firstPaymentOf(id);
  await openDispute(paymentId);
  const [dispute] = await disputesOf(paymentId);
  const words = ['--reason', 'account closed', '--evidence', 'letter'];
  const actor = async () => 'operator:ada';
  const context = { pool: world.pool, temporal: world.client, actor, secondPersonAbove: null };
  const args = [dispute?.id ?? '', '--status', 'lost', ...words, '--yes', '--json'];
  expect(await disputeClose.run(args, context as unknown as Parameters<typeof disputeClose.run>[1])).toBe(0);
  await eventually(async () =>
    expect(await currentDetails(world.client.workflow.getHandle(id))).toContain(
      'Cancels at the end of the period',
    ),
  );
});
