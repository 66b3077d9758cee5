/** A look-up requested by an operator or a webhook does not advance the schedule of look-ups (rule 18). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { railWebhookSignal, searchAttributes, wakeSignal } from '../../../workflows/core/messages.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { reconcileStart } from '../../../workflows/payment/reconcile-messages.ts';
import { REFUND_WORKFLOW, refundStart } from '../../../workflows/refund/refund-messages.ts';
import {
  advanceClockUpdate,
  cancelSubscriptionUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  afterFirstPeriod,
  subscribe,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

const APPROVED = '4242424242424242';
/** One quick look-up, then intervals that grow to a day. */
const FIRST_LONG_SECONDS = 600;
const timings = { reconcileSeconds: [1], reconcileLongSeconds: [FIRST_LONG_SECONDS, 7_200, 86_400] };
const ASKED = 4;

let world: SessionWorld;
/** The rail executes the call, but answers neither it nor a look-up. */
let isSilent = false;
let lookups = 0;

beforeAll(async () => {
  const silent = { kind: 'unknown', reason: 'timeout' } as const;
  world = await createSessionWorld({
    timings,
    wrapRail: (rail) => ({
      ...rail,
      authorize: async (request) => {
        const answer = await rail.authorize(request);
        return isSilent ? silent : answer;
      },
      chargeStored: async (request) => {
        const answer = await rail.chargeStored(request);
        return isSilent ? silent : answer;
      },
      refund: async (request) => {
        const answer = await rail.refund(request);
        return isSilent ? silent : answer;
      },
      lookup: (request) => {
        lookups += 1;
        return isSilent ? Promise.resolve(silent) : rail.lookup(request);
      },
      lookupRefund: (request) => {
        lookups += 1;
        return isSilent ? Promise.resolve(silent) : rail.lookupRefund(request);
      },
    }),
  });
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}'
    where id = ${world.shop.railAccountId}`);
  await world.startWorker();
});
afterAll(() => world?.close());
afterEach(() => {
  isSilent = false;
});

/** The waits that the run has started so far, from its history. */
async function waitsOf(handle: WorkflowHandle): Promise<readonly number[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
  );
}

/**
 * Requests several look-ups, each after the previous answer.
 * @returns the workflow's wait after each of them
 */
async function askOften(handle: WorkflowHandle, ask: () => Promise<void>): Promise<readonly number[]> {
  const waits: number[] = [];
  for (let asked = 0; asked < ASKED; asked += 1) {
    const before = await waitsOf(handle);
    const lookedUp = lookups;
    await ask();
    await eventually(() => expect(lookups).toBe(lookedUp + 1));
    await eventually(async () => expect((await waitsOf(handle)).length).toBeGreaterThan(before.length));
    waits.push((await waitsOf(handle)).at(-1) ?? Number.NaN);
  }
  return waits;
}

const nextIn = (table: 'checkouts' | 'refunds' | 'subscriptions', id: string) =>
  world.pool.oneFirst(sql.type(z.object({ seconds: z.number() }))`
    select extract(epoch from next_action_at - service_clock())::float8 as seconds
    from ${sql.identifier([table])} where id = ${id}`);

const FIRST_INTERVAL = Array(ASKED).fill(FIRST_LONG_SECONDS);

test('requested look-ups of a session do not lengthen its next wait', async () => {
  const id = await world.session();
  isSilent = true;
  await world.pay(id, APPROVED);
  await world.until(id, 'reconciliation_required');
  const handle = world.client.workflow.getHandle(id);
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  const tell = () => handle.signal(railWebhookSignal, { attemptId: paymentId });
  const waits = await askOften(handle, tell);
  const stored = await nextIn('checkouts', id);
  isSilent = false;
  await tell();
  await world.until(id, 'succeeded');
  await keepHistory(handle, 'checkout-asked-in-doubt');
  expect(waits).toEqual(FIRST_INTERVAL);
  // `why` must show the workflow's actual wait.
  expect(stored).toBeLessThanOrEqual(FIRST_LONG_SECONDS);
});

/** A refund whose answer and look-up were lost. */
async function refundInDoubt(): Promise<{ readonly id: string; readonly handle: WorkflowHandle }> {
  const session = await world.session();
  await world.pay(session, APPROVED);
  await world.until(session, 'succeeded');
  const refund = await createRefund(world.pool, {
    scope: world.shop,
    operationId: randomUUID(),
    of: { paymentId: (await world.payments(session))[0]?.id ?? '' },
    amount: 100,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  const { id, amount, currency } = refund;
  isSilent = true;
  const handle: WorkflowHandle = await world.client.workflow.start(
    REFUND_WORKFLOW,
    refundStart({ ...world.shop, id, amount, currency }, timings),
  );
  await eventually(async () => {
    expect((await handle.describe()).typedSearchAttributes.get(searchAttributes.needsOperator)).toBe(true);
  });
  return { id, handle };
}

test('requested look-ups of a refund do not lengthen its next wait', async () => {
  const { id, handle } = await refundInDoubt();
  const waits = await askOften(handle, () => handle.signal(wakeSignal));
  const stored = await nextIn('refunds', id);
  isSilent = false;
  // The rail makes the refund in the background.
  await eventually(async () => {
    await handle.signal(wakeSignal).catch(() => {});
    expect((await handle.describe()).status.name).toBe('COMPLETED');
  }, 30_000);
  expect(await handle.result()).toEqual({ status: 'succeeded' });
  await keepHistory(handle, 'refund-asked-in-doubt');
  expect(waits).toEqual(FIRST_INTERVAL);
  expect(stored).toBeLessThanOrEqual(FIRST_LONG_SECONDS);
});

test('requested look-ups of a subscription’s charge do not lengthen its next wait', async () => {
  const id = await subscribe(world);
  const later = await afterFirstPeriod(world, id);
  const handle = world.client.workflow.getHandle(id);
  isSilent = true;
  await update(world, id, advanceClockUpdate, { to: later(1) });
  const { openAttempt } = await untilView(world, id, ({ reconciling }) => reconciling);
  const tell = () => handle.signal(railWebhookSignal, { attemptId: openAttempt?.attemptId ?? '' });
  const waits = await askOften(handle, tell);
  isSilent = false;
  await tell();
  await eventually(async () => expect((await viewOf(world, id)).openAttempt).toBeNull());
  await keepHistory(handle, 'subscription-asked-in-doubt');
  expect(waits).toEqual(FIRST_INTERVAL);
});

test('the sweep looks up a subscription’s overdue charge even after a message has restarted its wait', async () => {
  const id = await subscribe(world);
  const handle = world.client.workflow.getHandle(id);
  // The workflow sleeps until the end of its period.
  await eventually(async () => expect(await currentDetails(handle)).not.toBe(''));
  isSilent = true;
  await world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock(), next_action_at = service_clock() where id = ${id}`);
  await handle.signal(wakeSignal);
  await untilView(world, id, ({ reconciling }) => reconciling);
  await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false });
  const waits = await askOften(handle, () => handle.signal(wakeSignal));
  const stored = await nextIn('subscriptions', id);
  isSilent = false;
  await handle.signal(wakeSignal);
  await untilView(world, id, ({ status }) => status === 'cancelled');
  await keepHistory(handle, 'subscription-woken-in-doubt');
  expect(waits).toEqual(FIRST_INTERVAL);
  expect(stored).toBeGreaterThan(FIRST_LONG_SECONDS - 60);
});

test('requested look-ups of a payment that has ended do not lengthen its next wait', async () => {
  const session = await world.session();
  await world.pay(session, APPROVED);
  await world.until(session, 'succeeded');
  const paymentId = (await world.payments(session))[0]?.id ?? '';
  await world.pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  isSilent = true;
  const { merchantId, environment } = world.shop;
  const start = reconcileStart({ paymentId, merchantId, environment });
  const handle: WorkflowHandle = await world.client.workflow.start('reconcile', start);
  await eventually(async () => expect((await waitsOf(handle)).length).toBeGreaterThan(0));
  await askOften(handle, () => handle.signal(railWebhookSignal, { attemptId: paymentId }));
  await keepHistory(handle, 'reconcile-asked-in-doubt');
  const { events = [] } = await handle.fetchHistory();
  await handle.terminate();
  let waitedOut = 0;
  for (const { timerStartedEventAttributes: timer, timerFiredEventAttributes: fired } of events ?? []) {
    if (fired) waitedOut += 1;
    if (timer) expect(Number(timer.startToFireTimeout?.seconds)).toBe([5, 30, 300][waitedOut]);
  }
});

async function sessionInDoubt(): Promise<{ readonly id: string; readonly handle: WorkflowHandle }> {
  const session = await world.session();
  isSilent = true;
  await world.pay(session, APPROVED);
  await world.until(session, 'reconciliation_required');
  const id = (await world.payments(session))[0]?.id ?? '';
  // A webhook waits while the call may still be answered (rule 38).
  await world.pool.query(sql.unsafe`
    update payments set call_deadline = service_clock() - interval '1 second' where id = ${id}`);
  return { id, handle: world.client.workflow.getHandle(session) };
}

async function hear(reference: string, hint: string): Promise<void> {
  const { railAccountId } = world.shop;
  await storeRailWebhook(world.pool, { railAccountId, railEventId: randomUUID(), reference, hint });
  await world.pool.query(sql.unsafe`
    update rail_webhooks set received_at = service_clock() - interval '6 seconds' where reference = ${reference}`);
}

async function sweep(): Promise<void> {
  await world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
}

async function signalsOf(handle: WorkflowHandle): Promise<number> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

test.each([
  ['a session', sessionInDoubt, 'approved'],
  ['a refund', refundInDoubt, 'refunded'],
])(
  'the sweep signals %s once per webhook, even while the rail does not answer',
  async (_of, inDoubt, hint) => {
    const { id, handle } = await inDoubt();
    const before = await signalsOf(handle);
    for (const webhook of [1, 2]) {
      await hear(id, hint);
      for (let round = 0; round < 3; round += 1) await sweep();
      expect((await signalsOf(handle)) - before).toBe(webhook);
    }
    isSilent = false;
    // The rail makes the refund asynchronously.
    await eventually(async () => {
      await hear(id, hint);
      await sweep();
      expect((await handle.describe()).status.name).toBe('COMPLETED');
    }, 60_000);
    const unapplied = sql.unsafe`select from rail_webhooks where reference = ${id} and applied_at is null`;
    await eventually(async () => {
      await sweep();
      expect(await world.pool.exists(unapplied)).toBe(false);
    });
  },
);
