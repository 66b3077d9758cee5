/**
 * After a restore nothing moves until the rail's lists have been compared; lost objects are adopted or listed (rule
 * 29).
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { z } from 'zod';
import { createActivities } from '../../activities/index.ts';
import { listLostRequests } from '../../activities/restore/lost-requests.ts';
import { isMoneyHeld } from '../../db/core/money-held.ts';
import { sql } from '../../db/core/pool.ts';
import { listIncidents } from '../../db/operations/incidents.ts';
import { createRefund } from '../../db/refund/create-refund.ts';
import { closeDifference } from '../../db/restore/close-differences.ts';
import { countSweep, fenceIfRestored, readLedgerCopy } from '../../db/restore/fence.ts';
import { addDays } from '../../domain/core/calendar.ts';
import { readRememberedEnd } from '../../platform/temporal/remembered-end.ts';
import { fenceRestored } from '../../platform/temporal/restored.ts';
import { startAgain } from '../../platform/temporal/start-workflows.ts';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { ensureSchedules } from '../../worker/namespace.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import { REFUND_WORKFLOW, refundStart } from '../../workflows/refund/refund-messages.ts';
import {
  advanceClockUpdate,
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  moveTrialUpdate,
  pauseSubscriptionUpdate,
  resumeSubscriptionUpdate,
  scheduleChangeUpdate,
  undoCancelUpdate,
} from '../../workflows/subscription/subscription-messages.ts';
import { SWEEP_SCHEDULE_ID } from '../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../support/core/eventually.ts';
import { insertProduct, insertShop, RECURRING } from '../support/db/fixtures.ts';
import { type Backup, backUp } from '../support/db/postgres.ts';
import { insertOffering, insertPlan } from '../support/db/subscriptions.ts';
import { createEndpoint } from '../support/db/webhooks.ts';
import { type Receiver, startReceiver } from '../support/server/receiver.ts';
import { currentDetails } from '../support/temporal/current-details.ts';
import { keepHistory } from '../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';
import { CARDS, startIt, subscribe, untilArrived, update } from '../support/world/subscription-world.ts';

const DECLINED = '4000000000000002';
const RESUMES_AT = addDays(new Date().toISOString(), 90);

let world: SessionWorld;
let receiver: Receiver;
let backup: Backup;
let lost: Awaited<ReturnType<typeof moveMoney>>;
let ledger: Awaited<ReturnType<SessionWorld['ledger']>>;
let fencedDeliveries: number;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await createSessionWorld({ railCallTimeoutSeconds: 4 });
  const { pool, shop } = world;
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  await createEndpoint(pool, shop, { url: receiver.url });
  await world.startWorker();
  const before = await moveSomeMoney();
  await countSweep(pool);
  await world.stopWorker();
  backup = await backUp({ url: world.databaseUrl });
  await eventually(() => pool.query(sql.unsafe`select 1`));
  await world.startWorker();

  lost = await moveMoney(before);
  ledger = await world.ledger();
  await world.stopWorker();
  await backup.restore();
  await eventually(() => pool.query(sql.unsafe`select 1`));
  fencedDeliveries = receiver.received.length;
  // As if the subscriptions' periods had ended while the database was unavailable.
  await endPeriod([lost.ending, lost.trial], 0);
  await world.startWorker();
  for (const due of [lost.ending, lost.trial]) await world.client.workflow.getHandle(due).signal(wakeSignal);
});
afterAll(async () => {
  await world?.close();
  await receiver?.stop();
  await backup?.drop();
});

const id = sql.type(z.object({ id: z.string() }));

/** Before the backup: sessions to be paid later, a payment to be refunded, a subscription about to be renewed. */
async function moveSomeMoney() {
  const [paid, unpaid, declinedOnce, refunded] = await Promise.all([
    ...Array.from({ length: 3 }, () => world.session()),
    world.session(),
  ]);
  await world.pay(refunded ?? '', CARDS.approved);
  await world.until(refunded ?? '', 'succeeded');
  const subscription = await subscribe(world);
  const cancelled = await subscribe(world);
  const ending = await subscribe(world);
  const continuing = await subscribe(world);
  const pausing = await subscribe(world);
  const held = await subscribe(world);
  const longLived = await subscribe(world);
  await update(world, held, pauseSubscriptionUpdate, { resumesAt: RESUMES_AT });
  const trial = await subscribe(world, { productId: world.shop.products.trial });
  const offering = await insertOffering(world.pool, world.shop.merchantId);
  const plan = (amount: number) =>
    insertPlan(world.pool, world.shop.merchantId, offering, { ...RECURRING, amount });
  const changed = await subscribe(world, { productId: await plan(900) });
  const unchanged = await subscribe(world, { productId: await plan(900) });
  const otherPlan = await plan(1_900);
  const scheduled = await update(world, unchanged, scheduleChangeUpdate, toPlan(otherPlan));
  await endPeriod([subscription, cancelled], 8);
  return {
    unanswered: await payUnanswered(),
    unchanged,
    scheduled: scheduled.kind === 'done' ? String(scheduled.changeId) : '',
    unsubscribed: await world.session(world.shop.products.recurring),
    seats: await world.session(await trialOfSeats()),
    cancelled,
    ending,
    continuing,
    pausing,
    held,
    longLived,
    trial,
    changed,
    otherPlan,
    paid: paid ?? '',
    unpaid: unpaid ?? '',
    declinedOnce: declinedOnce ?? '',
    refunded: refunded ?? '',
    subscription,
  };
}

async function trialOfSeats(): Promise<string> {
  const { merchantId } = world.shop;
  const price = { ...RECURRING, trialPeriodDays: 14 };
  return (await insertProduct(world.pool, { merchantId, quantity: { min: 1, max: 9 }, price })).productId;
}

/** A trial whose first charge was sent before the backup, and is answered after it. */
async function payUnanswered(): Promise<string> {
  const sessionId = await world.session(world.shop.products.trial);
  const reference = await world.pool.oneFirst(id`
    select session_payment_id(id, created_at, 1) as id from checkouts where id = ${sessionId}`);
  world.faults.add({ operation: 'authorize', mode: 'drop-after', count: 1, delayMs: 0, reference });
  world.faults.add({ operation: 'lookup', mode: '500', count: 1_000, delayMs: 0, reference });
  await world.pay(sessionId, CARDS.approved);
  const lookup = expect.objectContaining({ operation: 'lookup', reference });
  await eventually(async () => expect(await world.railRequests()).toContainEqual(lookup));
  return sessionId;
}

async function payForSeats(id: string, quantity: number): Promise<void> {
  const claimId = randomUUID();
  await world.storeClick(id, CARDS.approved, claimId);
  await world.pool.query(sql.unsafe`update clicks set quantity = ${quantity} where claim_id = ${claimId}`);
  await world.sendPay(id, claimId);
  await world.until(id, 'succeeded');
}

const endPeriod = (subscriptions: readonly string[], inSeconds: number) =>
  world.pool.query(sql.unsafe`
    update subscriptions s set current_period_end = at, next_action_at = at
    from date_trunc('milliseconds', service_clock() + ${inSeconds}::float8 * interval '1 second') at
    where s.id = any(${sql.array([...subscriptions], 'text')})`);

const toPlan = (targetPlanId: string) =>
  ({ type: 'plan_change', targetPlanId, targetOfferingId: null, calculatedAt: null }) as const;

/** Runs after the backup: everything it does is lost. */
async function moveMoney(before: Awaited<ReturnType<typeof moveSomeMoney>>) {
  world.faults.clear();
  await world.until(before.unanswered, 'succeeded');
  const answered = await subscriptionOf(before.unanswered);
  await startIt(world, answered);
  await update(world, answered, cancelSubscriptionUpdate, { atPeriodEnd: true });
  await update(world, before.cancelled, cancelSubscriptionUpdate, { atPeriodEnd: false });
  await update(world, before.ending, cancelSubscriptionUpdate, { atPeriodEnd: true });
  await update(world, before.continuing, cancelSubscriptionUpdate, { atPeriodEnd: true });
  await world.client.workflow.getHandle(before.continuing).terminate('replaced');
  expect(await startAgain(world.deps, before.continuing)).toBe(true);
  expect(await update(world, before.continuing, undoCancelUpdate, {})).toMatchObject({ kind: 'done' });
  const setPause = (resumesAt: string | null) =>
    update(world, before.pausing, pauseSubscriptionUpdate, { resumesAt });
  await setPause(null);
  await update(world, before.pausing, resumeSubscriptionUpdate, { calculatedAt: null });
  await setPause(addDays(RESUMES_AT, 1));
  expect(await setPause(RESUMES_AT)).toMatchObject({ kind: 'done' });
  await update(world, before.held, resumeSubscriptionUpdate, { calculatedAt: null });
  const lastPause = await pauseOverTwoRuns(before.longLived);
  const endsAt = addDays(new Date().toISOString(), 60);
  expect(await update(world, before.trial, moveTrialUpdate, { endsAt })).toMatchObject({ kind: 'done' });
  const change = toPlan(before.otherPlan);
  expect(await update(world, before.changed, scheduleChangeUpdate, change)).toMatchObject({ kind: 'done' });
  await update(world, before.unchanged, cancelChangeUpdate, { changeId: before.scheduled });
  const again = await update(world, before.unchanged, scheduleChangeUpdate, change);
  const changeId = again.kind === 'done' ? String(again.changeId) : '';
  await update(world, before.unchanged, cancelChangeUpdate, { changeId });
  await world.pay(before.unsubscribed, CARDS.approved);
  await world.until(before.unsubscribed, 'succeeded');
  await payForSeats(before.seats, 4);
  const subscribed = await subscriptionOf(before.unsubscribed);
  await world.client.workflow.getHandle(before.subscription).signal(wakeSignal);
  await world.pay(before.paid, CARDS.approved);
  await world.until(before.paid, 'succeeded');
  await world.pay(before.declinedOnce, DECLINED);
  await eventually(async () => expect((await world.view(before.declinedOnce)).state).toBe('created'));
  await world.pay(before.declinedOnce, CARDS.approved);
  await world.until(before.declinedOnce, 'succeeded');
  const unknown = await world.session();
  await world.pay(unknown, CARDS.approved);
  await world.until(unknown, 'succeeded');
  const paymentId = (await world.payments(before.refunded))[0]?.id ?? '';
  const refund = await startRefund(paymentId, 'op_refund');
  await eventually(async () => expect(await refundStatus(refund)).toBe('succeeded'));
  const lostPayment = (await world.payments(before.paid))[0]?.id ?? '';
  const refundOfLost = await startRefund(lostPayment, 'op_lost');
  await eventually(async () => expect(await refundStatus(refundOfLost)).toBe('succeeded'));
  await eventually(async () => expect(await renewals(before.subscription)).toEqual(['succeeded']));
  return {
    ...before,
    answered,
    lastPause,
    subscribed,
    unknownPayment: (await world.payments(unknown))[0]?.id ?? '',
    payments: await paymentIds(),
    events: await events(),
    refund,
    refundedPayment: paymentId,
    lostPayment,
    refundOfLost,
  };
}

/**
 * Begins a pause, changes its date until the run continues as new, then once more.
 * @returns the last date, and the number of requests
 */
async function pauseOverTwoRuns(
  id: string,
): Promise<{ readonly resumesAt: string; readonly requests: number }> {
  const handle = world.client.workflow.getHandle(id);
  const runId = async () => (await handle.describe()).runId;
  const first = await runId();
  const pauseUntil = (resumesAt: string) => update(world, id, pauseSubscriptionUpdate, { resumesAt });
  await pauseUntil(RESUMES_AT);
  await update(world, id, advanceClockUpdate, { to: addDays(new Date().toISOString(), 40) });
  await untilArrived(world, id);
  let days = 0;
  while ((await runId()) === first) {
    if (++days > 50) throw new Error('the run is not continued');
    await pauseUntil(addDays(RESUMES_AT, days));
    // A run continues as new only while it has no message to answer.
    await handle.signal(wakeSignal);
  }
  const resumesAt = addDays(RESUMES_AT, days + 1);
  expect(await pauseUntil(resumesAt)).toMatchObject({ kind: 'done' });
  return { resumesAt, requests: days + 3 };
}

const refundOf = (paymentId: string, operationId: string) => ({
  scope: world.shop,
  operationId,
  of: { paymentId },
  amount: 1_000,
  currency: null,
  reason: null,
  railNames: ['sandbox'],
});

async function startRefund(paymentId: string, operationId: string): Promise<string> {
  const { pool, shop, client, timings } = world;
  const refund = await createRefund(pool, refundOf(paymentId, operationId));
  if (typeof refund === 'string') throw new Error(refund);
  const { id: refundId, amount, currency } = refund;
  await client.workflow.start(
    REFUND_WORKFLOW,
    refundStart({ ...shop, id: refundId, amount, currency }, timings),
  );
  return refundId;
}

const subscriptionOf = (checkoutId: string) =>
  world.pool.oneFirst(id`select id from subscriptions where checkout_id = ${checkoutId}`);
const paymentIds = () => world.pool.anyFirst(id`select id from payments order by id`);
const events = () =>
  world.pool.any(sql.type(z.object({ id: z.string(), change: z.string(), body: z.string() }))`
    select id, concat_ws(' ', type, aggregate_id, aggregate_version) as change, body from events`);
const refundStatus = (refundId: string) =>
  world.pool.maybeOneFirst(id`select status as id from refunds where id = ${refundId}`);
const renewals = (subscriptionId: string) =>
  world.pool.anyFirst(id`
    select p.status as id from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null`);
type HistoryFault = 'unreadable' | 'unavailable';

/** The client, except that this workflow's history has an update in an unknown encoding, or cannot be read. */
function withHistoryFault(client: Client, workflowId: string, how: HistoryFault): Client {
  const service = client.workflowService;
  const answered = { metadata: { encoding: Buffer.from('binary/unknown') }, data: Buffer.from('?') };
  const completed = { meta: { updateId: 'u' }, outcome: { success: { payloads: [answered] } } };
  const asked = { meta: { updateId: 'u' }, input: { name: cancelSubscriptionUpdate.name } };
  const eventTime = { seconds: Math.floor(Date.now() / 1_000), nanos: 0 };
  const events = [
    { eventTime, workflowExecutionUpdateCompletedEventAttributes: completed },
    { eventTime, workflowExecutionUpdateAcceptedEventAttributes: { acceptedRequest: asked } },
  ];
  const read = async (request: Parameters<typeof service.getWorkflowExecutionHistoryReverse>[0]) => {
    if (request.execution?.workflowId !== workflowId)
      return service.getWorkflowExecutionHistoryReverse(request);
    if (how === 'unreadable') return { history: { events } };
    throw Object.assign(new Error('away'), { code: 14, details: 'away', metadata: {} });
  };
  const workflowService = Object.assign(Object.create(service), { getWorkflowExecutionHistoryReverse: read });
  return Object.create(client, { workflowService: { value: workflowService } }) as Client;
}

const sweep = () => createActivities(world.deps).sweepOnce();
const attention = async () =>
  (await listIncidents(world.pool)).filter(({ kind }) => kind === 'not_in_database');
const attentionOf = async (subscriptionId: string) =>
  (await attention()).filter(({ id: found }) => found.startsWith(subscriptionId));

async function settle(subscriptionId: string): Promise<void> {
  for (const { id: reference } of await attentionOf(subscriptionId)) {
    const by = { reference, operator: 'ada', evidence: 'asked the merchant' };
    expect(await closeDifference(world.pool, by)).toBe(true);
  }
}

describe('while fenced', () => {
  test('a click is refused, and the rail is not called', async () => {
    const click = world.storeClick(lost.unpaid, CARDS.approved, '3f0c2f4e-0000-4000-8000-000000000001');
    await expect(click.catch(isMoneyHeld)).resolves.toBe(true);
  });

  test('a refund under another key is refused: the money was returned before the restore', async () => {
    const again = createRefund(world.pool, refundOf(lost.refundedPayment, 'op_another'));
    await expect(again.catch(isMoneyHeld)).resolves.toBe(true);
  });

  test('the sweep starts the comparison and reports its progress', async () => {
    await sweep();
    const { epoch, fencedAt } = await readLedgerCopy(world.pool);
    expect(fencedAt).not.toBeNull();
    const comparison = world.client.workflow.getHandle(`restore-${epoch}`);
    await eventually(async () =>
      expect(await currentDetails(comparison)).toMatch(/^\*\*Waiting for calls .*\n- 0 of 1 rail accounts/),
    );
    expect(receiver.received).toHaveLength(fencedDeliveries);
    const forAPerson = 16 + lost.lastPause.requests;
    expect(await comparison.result()).toMatchObject({ step: 'lifted', compared: 1, forAPerson, open: 0 });
    await keepHistory(comparison, 'restore');
  }, 90_000);
});

describe('after the comparison', () => {
  test('every lost charge is rebuilt under its reference, and none is charged twice', async () => {
    expect(await world.ledger()).toEqual(ledger);
    const missing = lost.payments.filter((each) => each !== lost.unknownPayment);
    // Charges claimed while fenced for cancelled subscriptions, which must never be sent.
    const unsent = await world.pool.anyFirst(id`
      select p.id from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id in (${lost.ending}, ${lost.cancelled}, ${lost.trial}) and p.checkout_id is null
        and p.status <> 'succeeded'`);
    expect((await paymentIds()).filter((each) => !unsent.includes(each))).toEqual(missing);
  });

  test.each(['paid', 'declinedOnce'] as const)('the lost session %s has succeeded again', async (which) => {
    expect(await world.view(lost[which])).toMatchObject({ state: 'succeeded' });
  });

  test('the renewal is paid', async () => {
    expect(await renewals(lost.subscription)).toEqual(['succeeded']);
  });

  test('a subscription lost with its purchase is rebuilt under its id', async () => {
    expect(await subscriptionOf(lost.unsubscribed)).toBe(lost.subscribed);
    const seats = sql.type(z.object({ quantity: z.number() }))`
      select quantity from subscriptions where checkout_id = ${lost.seats}`;
    expect(await world.pool.oneFirst(seats)).toBe(4);
  });

  test.each([
    ['cancelled', 'it had ended'],
    ['ending', cancelSubscriptionUpdate.name],
    ['answered', cancelSubscriptionUpdate.name],
    ['trial', moveTrialUpdate.name],
  ] as const)(
    'a subscription whose cancellation or moved trial was lost is listed and stopped: %s',
    async (which, reason) => {
      const [listed] = await attentionOf(lost[which]);
      expect(listed?.reason).toContain(reason);
      const isStopped = sql.unsafe`
        select from subscriptions where id = ${lost[which]} and (status in ('cancelled', 'expired')
          or charging_stopped_at is not null and cancel_at_period_end)`;
      expect(await world.pool.exists(isStopped)).toBe(true);
      expect(await world.ledger()).toEqual(ledger);
      await settle(lost[which]);
    },
  );

  test('a subscription whose cancellation was undone in another run is listed and continues', async () => {
    expect(await attentionOf(lost.continuing)).toHaveLength(2);
    const continues = sql.unsafe`
      select from subscriptions where id = ${lost.continuing} and status = 'active' and charging_stopped_at is null
        and not cancel_at_period_end`;
    expect(await world.pool.exists(continues)).toBe(true);
    expect(await readRememberedEnd(world.client, lost.continuing)).toBe(null);
    await settle(lost.continuing);
  });

  test('a pause whose resume request was lost is listed and loses its date', async () => {
    expect(await attentionOf(lost.held)).toMatchObject([
      { reason: expect.stringMatching(/^lost in the restore: resume; .* --continue /) },
    ]);
    const holds = sql.unsafe`
      select from subscriptions where id = ${lost.held} and pause_at_period_end and resumes_at is null`;
    expect(await world.pool.exists(holds)).toBe(true);
    await settle(lost.held);
  });

  test('a lost pause is rebuilt with the date that a later run gave it', async () => {
    expect(await attentionOf(lost.longLived)).toHaveLength(lost.lastPause.requests);
    const pauses = sql.unsafe`
      select from subscriptions where id = ${lost.longLived} and status = 'active' and pause_at_period_end
        and resumes_at = ${lost.lastPause.resumesAt}`;
    expect(await world.pool.exists(pauses)).toBe(true);
    await settle(lost.longLived);
  });

  test('a subscription whose pause was lost is listed and pauses with its period', async () => {
    const listed = (await attentionOf(lost.pausing)).map(({ reason }) => reason.split(';')[0]);
    expect(listed).toHaveLength(4);
    expect(listed).toContain(`lost in the restore: pause, resumes at ${RESUMES_AT}`);
    expect(listed).toContain('lost in the restore: pause, no resume date');
    const pauses = sql.unsafe`
      select from subscriptions where id = ${lost.pausing} and status = 'active' and pause_at_period_end
        and resumes_at = ${RESUMES_AT} and charging_stopped_at is null`;
    expect(await world.pool.exists(pauses)).toBe(true);
    await settle(lost.pausing);
  });

  test('lost plan changes, including withdrawn changes, are listed until an operator has handled them', async () => {
    expect((await attentionOf(lost.changed)).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('scheduleChange'),
    ]);
    expect((await attentionOf(lost.changed))[0]?.workflow_id).toBe(lost.changed);
    expect(await attentionOf(lost.unchanged)).toHaveLength(3);
    await settle(lost.changed);
    await settle(lost.unchanged);
  });

  test('an update in an unknown encoding is listed once; an unreachable Temporal makes the listing fail', async () => {
    const { epoch } = await readLedgerCopy(world.pool);
    const listAgain = (how: HistoryFault) =>
      listLostRequests(
        { ...world.deps, client: withHistoryFault(world.client, lost.unchanged, how) },
        { epoch, since: '2020-01-01T00:00:00Z' },
      );
    await expect(listAgain('unavailable')).rejects.toThrow('away');
    await listAgain('unreadable');
    await listAgain('unreadable');
    expect(await attentionOf(lost.unchanged)).toHaveLength(1);
    await settle(lost.unchanged);
  });

  test('a lost refund request is sent, and a repeated request finds the refund', async () => {
    expect(await refundStatus(lost.refund)).toBe('succeeded');
    const again = createRefund(world.pool, refundOf(lost.refundedPayment, 'op_refund'));
    await expect(again).resolves.toMatchObject({ id: lost.refund, status: 'succeeded' });
  });

  test.each([1_000, null])('the refund of a lost payment of %s cents is made', async (amount) => {
    expect(await refundStatus(lost.refundOfLost)).toBe('succeeded');
    const again = createRefund(world.pool, { ...refundOf(lost.lostPayment, 'op_lost'), amount });
    await expect(again).resolves.toMatchObject({ id: lost.refundOfLost, amount: 1_000 });
    expect(await world.ledger()).toEqual(ledger);
  });

  test('a charge with a lost session is listed until an operator has handled it', async () => {
    expect(await attention()).toMatchObject([{ id: lost.unknownPayment, amount: 1_900 }]);
    const settled = {
      reference: lost.unknownPayment,
      operator: 'operator:ada',
      evidence: 'refunded in the dashboard',
    };
    expect(await closeDifference(world.pool, settled)).toBe(true);
    expect(await closeDifference(world.pool, settled)).toBe(false);
    expect(await attention()).toEqual([]);
    const actors = await world.pool.anyFirst(sql.type(z.object({ actor: z.string() }))`
      select actor from audit_log where subject_id = ${lost.unknownPayment} and action = 'restore.settle'`);
    expect(actors).toEqual([settled.operator]);
  });

  test('events that are recorded again have new ids, and are delivered', async () => {
    const before = new Map(lost.events.map((event) => [event.id, event]));
    const now = await events();
    for (const { id: eventId, body } of now) expect(before.get(eventId)?.body ?? body).toBe(body);
    const raisedAgain = now.filter(
      ({ id: eventId, change }) =>
        !before.has(eventId) && lost.events.some((event) => event.change === change),
    );
    // Payments and the refund keep their ids, so that their events are recorded with the same versions.
    expect(raisedAgain.length).toBeGreaterThanOrEqual(4);
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(fencedDeliveries + 4));
  }, 60_000);

  test('buyers can pay', async () => {
    await world.pay(lost.unpaid, CARDS.approved);
    await world.until(lost.unpaid, 'succeeded');
  });
});

test('a database that lacks sweeps recorded by Temporal is fenced by the next sweep or worker start', async () => {
  const { client, pool } = world;
  await ensureSchedules(client);
  const schedule = client.schedule.getHandle(SWEEP_SCHEDULE_ID);
  const readSweep = () =>
    pool.oneFirst(sql.type(z.object({ mark: z.number() }))`select mark from ledger_copy`);
  const before = await readSweep();
  await schedule.trigger();
  await eventually(async () => expect(await readSweep()).toBeGreaterThan(before));
  const counted = await readSweep();
  const running = { ...world.deps, pool };
  await eventually(async () => expect(await fenceRestored(running)).toMatchObject({ sweepNumber: counted }));
  expect(await readLedgerCopy(pool)).toMatchObject({ fencedAt: null });
  const { info } = await schedule.describe();
  const swept = info.recentActions.at(-1)?.action.workflow;
  await keepHistory(client.workflow.getHandle(swept?.workflowId ?? '', swept?.firstExecutionRunId), 'sweep');

  // Simulates a snapshot of the files, which keeps the database's identity.
  await pool.query(sql.unsafe`update ledger_copy set mark = mark - 1`);
  const { epoch: earlier } = await readLedgerCopy(pool);
  // Repeated, because Temporal skips a trigger during a running sweep.
  const epoch = await eventually(async () => {
    await schedule.trigger();
    await pause(2_000);
    const now = await readLedgerCopy(pool);
    expect(now.epoch).toBeGreaterThan(earlier);
    return now.epoch;
  }, 60_000);
  await client.workflow.getHandle(`restore-${epoch}`).result();
  expect((await readLedgerCopy(pool)).fencedAt).toBeNull();

  // The sweep's next round would lift the fence in the next test.
  await schedule.pause();
  await pool.query(sql.unsafe`update ledger_copy set mark = 0`);
  await fenceRestored(running);
  expect(await readLedgerCopy(pool)).toMatchObject({ fencedAt: expect.any(String) });
});

test('`ops restored` announces a restore, or follows a running comparison, until the fence is lifted', async () => {
  // No worker may lift the fence before the operator's command runs.
  await world.stopWorker();
  await fenceIfRestored(world.pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
  const earlier = await ops('restored', '--yes', '--since', '2020-01-01T00:00:00Z');
  expect(earlier).toMatchObject({ code: 2, out: null });
  const begun = await ops('restored', '--yes', '--no-wait', '--json', '--since', new Date().toISOString());
  expect(begun).toMatchObject({ code: 0, out: { lifted: false } });
  const { railAccountId: unreadable } = await insertShop(world.pool);
  await world.startWorker();
  const follow = await ops('restored', '--yes', '--json');
  expect(follow).toMatchObject({ code: 1, out: { lifted: true, compared: 2, open: 0, forAPerson: 1 } });
  expect(await ops('resume-rail', unreadable, '--reason', 'key restored', '--json')).toMatchObject({
    code: 0,
  });
  await world.pool.query(sql.unsafe`delete from rail_breakers where rail_account_id = ${unreadable}`);
  await world.pool.query(sql.unsafe`delete from restored_accounts where rail_account_id = ${unreadable}`);
  await world.pool.query(sql.unsafe`delete from rail_accounts where id = ${unreadable}`);
  const announced = await ops('restored', '--yes', '--json');
  expect(announced).toMatchObject({ code: 0, out: { lifted: true } });
  expect(announced.out.epoch).toBeGreaterThan(follow.out.epoch);
});

async function ops(...args: readonly string[]) {
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'bin/ops.ts'), ...args], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: world.databaseUrl,
      TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
      TEMPORAL_NAMESPACE: world.namespace,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const printed = await text(child.stdout);
  const out = printed ? JSON.parse(printed) : null;
  const [code] = await exited;
  return { code, out };
}
