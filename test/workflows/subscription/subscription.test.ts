import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { insertResolveRequest, readResolveAnswer } from '../../../db/payment/resolve-requests.ts';
import type { Rail } from '../../../rail/rail.ts';
import {
  railWebhookSignal,
  resolveRequestedSignal,
  searchAttributes,
} from '../../../workflows/core/messages.ts';
import {
  advanceClockUpdate,
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  moveTrialUpdate,
  pauseSubscriptionUpdate,
  resolveChargeUpdate,
  resumeSubscriptionUpdate,
  scheduleChangeUpdate,
  undoCancelUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertRailAccount, RECURRING } from '../../support/db/fixtures.ts';
import { eventTypesOf, insertOffering, insertPlan, invoicesOf } from '../../support/db/subscriptions.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { keepHistory, payloadsOf, replayAll } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  CARDS,
  chargesOf,
  subscribe,
  untilArrived,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

let world: SessionWorld;
/** Replaces the rail for the next off-session charges. */
let disturbed:
  | ((charge: () => ReturnType<Rail['chargeStored']>) => ReturnType<Rail['chargeStored']>)
  | undefined;
let deaf = false;
let plans: Readonly<Record<'basic' | 'plus' | 'otherOffering' | 'elsewhere', string>>;

beforeAll(async () => {
  world = await createSessionWorld({
    wrapRail: (rail) => ({
      ...bound(rail),
      chargeStored: (request) =>
        disturbed ? disturbed(() => rail.chargeStored(request)) : rail.chargeStored(request),
      lookup: (request) =>
        // Look-ups before the first send pass: these tests lose the answer to a charge.
        deaf && request.begunAt !== null
          ? Promise.resolve({ kind: 'unknown', reason: 'timeout' } as const)
          : rail.lookup(request),
    }),
  });
  await world.startWorker();
  const { merchantId } = world.shop;
  const offering = await insertOffering(world.pool, merchantId);
  const otherOffering = await insertOffering(world.pool, merchantId, 'Tee');
  plans = {
    basic: await insertPlan(world.pool, merchantId, offering, RECURRING),
    plus: await insertPlan(world.pool, merchantId, offering, { ...RECURRING, amount: 1_900 }),
    otherOffering,
    elsewhere: await insertPlan(world.pool, merchantId, otherOffering, { ...RECURRING, amount: 700 }),
  };
});
afterAll(() => world.close());

/** The adapter's own methods need their `this`. */
function bound(rail: Rail): Rail {
  return new Proxy(rail, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const handle = (id: string) => world.client.workflow.getHandle(id);
const statuses = async (id: string) => (await invoicesOf(world.pool, id)).map(({ status }) => status);
const planChange = (targetPlanId: string) =>
  ({ type: 'plan_change', targetPlanId, targetOfferingId: null, calculatedAt: null }) as const;

describe('a subscription', () => {
  test('renews when its clock is moved', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    expect(await advance(world, id, later(1))).toMatchObject({ status: 'active', openAttempt: null });
    expect(await statuses(id)).toEqual(['created', 'created']);
    expect(await chargesOf(world, id)).toEqual([900]);
  });

  test('bills for years in seconds, and continues as new when idle after a hundred events', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    const first = (await handle(id).describe()).runId;
    await advance(world, id, later(60));
    expect((await handle(id).describe()).runId).toBe(first);
    for (let days = 360; (await handle(id).describe()).runId === first; days += 30) {
      expect(days).toBeLessThan(3_000);
      await advance(world, id, later(days));
    }
    expect((await handle(id).describe()).historyLength).toBeLessThan(20);
    const history = await world.client.workflow.getHandle(id, first).fetchHistory();
    await replayAll([{ workflowId: id, history }]);
    const renewals = (await statuses(id)).length - 1;
    expect(renewals).toBeGreaterThan(11);
    expect(await chargesOf(world, id)).toEqual(Array(renewals).fill(900));
    expect(await statuses(id)).toEqual(Array(renewals + 1).fill('created'));
    await keepHistory(world.client.workflow.getHandle(id, first), 'subscription-of-many-periods');
  });

  test('shows the operator its state, next charge and scheduled change', async () => {
    const id = await subscribe(world, { productId: plans.basic });
    await update(world, id, scheduleChangeUpdate, planChange(plans.plus));
    const { currentPeriodEnd } = await viewOf(world, id);
    const details = await currentDetails(handle(id));
    expect(details).toMatch(/^\*\*active\*\*/);
    expect(details).toContain(`- Next: the next charge at ${currentPeriodEnd}\n`);
    expect(details).toContain(`- Scheduled: plan_change at ${currentPeriodEnd}`);
    expect(details).not.toContain('resolve');
    const described = await handle(id).describe();
    expect(described.typedSearchAttributes.get(searchAttributes.lifecycleState)).toBe('active');
    expect(described.typedSearchAttributes.get(searchAttributes.merchantId)).toBe(world.shop.merchantId);
    expect((await described.staticSummary())?.length).toBeGreaterThan(5);
  });

  test('charges for the first time when its trial ends', async () => {
    const id = await subscribe(world, { productId: world.shop.products.trial, card: CARDS.approved });
    const later = await afterFirstPeriod(world, id);
    expect((await viewOf(world, id)).status).toBe('trialing');
    await advance(world, id, later(1));
    expect((await viewOf(world, id)).status).toBe('active');
    expect(await chargesOf(world, id)).toEqual([900]);
    await keepHistory(handle(id), 'subscription-after-trial');
  });

  test('charges once if its trial is moved at the instant of its end', async () => {
    for (const moveFirst of [true, false, true, false]) {
      const id = await subscribe(world, { productId: world.shop.products.trial, card: CARDS.approved });
      const later = await afterFirstPeriod(world, id);
      const move = () => update(world, id, moveTrialUpdate, { endsAt: later(10) });
      const early = moveFirst ? move() : null;
      const advancing = update(world, id, advanceClockUpdate, { to: later(1) });
      const moved = (await (early ?? move())).kind === 'done';
      await advancing;
      await untilArrived(world, id);
      expect([(await viewOf(world, id)).status, await chargesOf(world, id)]).toEqual(
        moved ? ['trialing', []] : ['active', [900]],
      );
      if (!moved) continue;
      await update(world, id, moveTrialUpdate, { endsAt: null });
      await untilView(world, id, ({ status, openAttempt }) => status === 'active' && !openAttempt);
      expect(await chargesOf(world, id)).toEqual([900]);
      await keepHistory(handle(id), 'subscription-trial-moved');
    }
  });
});

describe('operations', () => {
  test('apply a plan change at the boundary, and can cancel it before', async () => {
    const id = await subscribe(world, { productId: plans.basic });
    const later = await afterFirstPeriod(world, id);
    const scheduled = await update(world, id, scheduleChangeUpdate, planChange(plans.plus));
    const changeId = scheduled.kind === 'done' ? (scheduled.changeId ?? '') : '';
    expect(await update(world, id, cancelChangeUpdate, { changeId })).toEqual({ kind: 'done', changeId });
    await update(world, id, scheduleChangeUpdate, planChange(plans.plus));
    await advance(world, id, later(1));
    expect(await chargesOf(world, id)).toEqual([1_900]);
    await keepHistory(handle(id), 'subscription-changed');
  });

  test('move the subscription to another offering at the boundary', async () => {
    const id = await subscribe(world, { productId: plans.basic });
    const later = await afterFirstPeriod(world, id);
    const [targetPlanId, targetOfferingId] = [plans.elsewhere, plans.otherOffering];
    const change = { type: 'offering_change', targetPlanId, targetOfferingId, calculatedAt: null } as const;
    expect(await update(world, id, scheduleChangeUpdate, change)).toMatchObject({ kind: 'done' });
    await advance(world, id, later(1));
    expect(await chargesOf(world, id)).toEqual([700]);
    await keepHistory(handle(id), 'subscription-offering-changed');
  });

  test('take effect once per update id, even in a later run of the workflow', async () => {
    const id = await subscribe(world, { productId: plans.basic });
    const later = await afterFirstPeriod(world, id);
    const key = randomUUID();
    const first = await update(world, id, scheduleChangeUpdate, planChange(plans.plus), key);
    expect(await update(world, id, scheduleChangeUpdate, planChange(plans.plus), key)).toEqual(first);
    await advance(world, id, later(1));
    // In a new run Temporal no longer knows the update id, but the database does.
    expect(await update(world, id, scheduleChangeUpdate, planChange(plans.plus), key)).toEqual(first);
    expect((await viewOf(world, id)).change).toBeNull();
  });

  test('are rejected by their validators if invalid, and leave no trace', async () => {
    const id = await subscribe(world);
    const { version } = await viewOf(world, id);
    // One after another, because an unhandled rejection ends the whole file.
    for (const send of [
      () => update(world, id, scheduleChangeUpdate, planChange('')),
      () => update(world, id, advanceClockUpdate, { to: 'tomorrow' }),
      () => update(world, id, cancelChangeUpdate, { changeId: '' }),
    ]) {
      await expect(send()).rejects.toThrow(WorkflowUpdateFailedError);
    }
    expect((await viewOf(world, id)).version).toBe(version);
  });

  test('end the workflow when they end the subscription', async () => {
    const id = await subscribe(world);
    expect(await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false })).toMatchObject({
      kind: 'done',
    });
    expect(await handle(id).result()).toEqual({ status: 'cancelled' });
    await keepHistory(handle(id), 'subscription-cancelled');
  });

  test('include a workflow cancellation in Temporal UI, which cancels the subscription', async () => {
    const id = await subscribe(world);
    await handle(id).cancel();
    expect(await handle(id).result()).toEqual({ status: 'cancelled' });
  });

  test('end the subscription at the end of the period when requested', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: true });
    await update(world, id, advanceClockUpdate, { to: later(1) });
    expect(await handle(id).result()).toEqual({ status: 'cancelled' });
    expect(await chargesOf(world, id)).toEqual([]);
    await keepHistory(handle(id), 'subscription-ended-with-period');
  });

  test('to undo a cancellation at the instant of the end lead to one renewal charge or an ended subscription', async () => {
    for (const undoFirst of [true, false, true, false]) {
      const id = await subscribe(world);
      const later = await afterFirstPeriod(world, id);
      await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: true });
      const undo = () =>
        update(world, id, undoCancelUpdate, {}).catch((error) => {
          const over = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
          if (!over) throw error;
        });
      const early = undoFirst ? undo() : null;
      const advancing = update(world, id, advanceClockUpdate, { to: later(1) });
      const undone = (await (early ?? undo()))?.kind === 'done';
      await advancing;
      await untilArrived(world, id);
      expect([(await viewOf(world, id)).status, await chargesOf(world, id)]).toEqual(
        undone ? ['active', [900]] : ['cancelled', []],
      );
      if (undone) await keepHistory(handle(id), 'subscription-cancel-undone');
    }
  });
});

describe('a pause', () => {
  test('waits without a timer until it is resumed by date or by request, and each resumption charges once', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    await update(world, id, pauseSubscriptionUpdate, { resumesAt: later(40) });
    await advance(world, id, later(1));
    expect((await viewOf(world, id)).status).toBe('paused');
    await update(world, id, pauseSubscriptionUpdate, { resumesAt: null });
    await eventually(async () =>
      expect(await currentDetails(handle(id))).toMatch(/^\*\*paused[\s\S]*\n- Next: a request to resume\n/),
    );
    await advance(world, id, later(60));
    await update(world, id, pauseSubscriptionUpdate, { resumesAt: later(70) });
    await advance(world, id, later(71));
    expect([(await viewOf(world, id)).status, await chargesOf(world, id)]).toEqual(['active', [900]]);
    await update(world, id, pauseSubscriptionUpdate, { resumesAt: null });
    await advance(world, id, later(110));
    await update(world, id, resumeSubscriptionUpdate, { calculatedAt: null });
    await untilView(world, id, ({ status, openAttempt }) => status === 'active' && !openAttempt);
    expect(await chargesOf(world, id)).toEqual([900, 900]);
    await keepHistory(handle(id), 'subscription-paused');
  });
});

describe('dunning', () => {
  test('recovers on the retry that the bank accepts', async () => {
    const id = await subscribe(world, { card: CARDS.twoSoftDeclines });
    const later = await afterFirstPeriod(world, id);
    await advance(world, id, later(1));
    expect(await viewOf(world, id)).toMatchObject({
      status: 'past_due',
      dunning: { step: 0, steps: 4 },
      lastFailure: 'insufficient_funds',
    });
    // A new run answers once its first task has run.
    await eventually(async () =>
      expect(await currentDetails(handle(id))).toContain('- Next: the oldest unpaid invoice is charged at '),
    );
    await advance(world, id, later(8));
    expect(await viewOf(world, id)).toMatchObject({ status: 'active', dunning: null, lastFailure: null });
    expect(await chargesOf(world, id)).toEqual([900]);
    await keepHistory(handle(id), 'subscription-recovered');
  });

  test('ends in a cancelled subscription when the retries are used up', async () => {
    const id = await subscribe(world, { card: CARDS.softDeclines });
    const later = await afterFirstPeriod(world, id);
    await advance(world, id, later(22));
    expect(await handle(id).result()).toEqual({ status: 'cancelled' });
    expect(await statuses(id)).toEqual(['created', 'uncollectible']);
    expect(await chargesOf(world, id)).toEqual([]);
    await keepHistory(handle(id), 'subscription-given-up');
  });

  test('requests the buyer’s authentication when the bank requires it', async () => {
    const id = await subscribe(world, { card: CARDS.authenticationRequired });
    const later = await afterFirstPeriod(world, id);
    await advance(world, id, later(20));
    expect((await viewOf(world, id)).status).toBe('past_due');
    expect(await eventTypesOf(world.pool, id)).toContain('payment_method.updated_required');
    await keepHistory(handle(id), 'subscription-authentication-required');
  });

  test('ends an off-session challenge, and requests the buyer’s authentication', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    disturbed = async () => ({
      kind: 'challenge',
      url: 'https://bank.example/confirm',
      railReference: 'ch_x',
      method: null,
    });
    try {
      await advance(world, id, later(1));
    } finally {
      disturbed = undefined;
    }
    expect(await viewOf(world, id)).toMatchObject({ status: 'past_due', next: { action: 'giveUp' } });
    expect(await eventTypesOf(world.pool, id)).toContain('payment_method.updated_required');
    expect(await chargesOf(world, id)).toEqual([]);
    await keepHistory(handle(id), 'subscription-confirmation-ended');
  });
});

describe('a rail account that is disabled', () => {
  test('does not start dunning: charges never sent to a bank are made when the account is back', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    await useAccount('disabled');
    try {
      await advance(world, id, later(22));
    } finally {
      await useAccount('active');
    }
    expect(await viewOf(world, id)).toMatchObject({ status: 'active', dunning: null, lastFailure: null });
    expect(await statuses(id)).toEqual(['created', 'open']);
    expect(await eventTypesOf(world.pool, id)).not.toContain('invoice.payment_failed');
    const alerts = (await eventTypesOf(world.pool, id)).filter(
      (type) => type === 'billing.operational_alert',
    );
    expect(alerts).toHaveLength(1);
    await advance(world, id, later(24));
    expect(await chargesOf(world, id)).toEqual([900]);
    expect(await statuses(id)).toEqual(['created', 'created']);
  });

  test('ends the subscription with its retry schedule, without an attempt, if another account has replaced it', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    await useAccount('disabled');
    const successor = await insertRailAccount(world.pool, world.shop);
    try {
      await advance(world, id, later(1));
      expect(await viewOf(world, id)).toMatchObject({ status: 'past_due', dunning: { step: 0 } });
      await advance(world, id, later(22));
      expect(await handle(id).result()).toEqual({ status: 'cancelled' });
    } finally {
      await world.pool.query(
        sql.unsafe`update rail_accounts set status = 'disabled' where id = ${successor}`,
      );
      await useAccount('active');
    }
    expect(await statuses(id)).toEqual(['created', 'uncollectible']);
    const told = await eventTypesOf(world.pool, id);
    for (const type of [
      'payment.failed',
      'invoice.payment_failed',
      'payment_method.updated_required',
      'subscription.cancelled',
    ]) {
      expect(told.filter((one) => one === type)).toHaveLength(1);
    }
    expect(await chargesOf(world, id)).toEqual([]);
    await keepHistory(handle(id), 'subscription-account-replaced');
  });

  async function useAccount(status: 'active' | 'disabled'): Promise<void> {
    await world.pool.query(sql.unsafe`
      update rail_accounts set status = ${status} where id = ${world.shop.railAccountId}
    `);
  }
});

describe('a charge whose answer is lost', () => {
  test('is looked up and not sent again', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    disturbed = async (charge) => {
      await charge();
      return { kind: 'unknown', reason: 'connection_lost' };
    };
    await advance(world, id, later(1));
    disturbed = undefined;
    expect(await chargesOf(world, id)).toEqual([900]);
    expect(await statuses(id)).toEqual(['created', 'created']);
    await keepHistory(handle(id), 'subscription-answer-lost');
  });

  test('is charged again if it never arrived', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    let lost = 0;
    disturbed = (charge) =>
      lost++ === 0 ? Promise.resolve({ kind: 'unknown', reason: 'connection_lost' }) : charge();
    await advance(world, id, later(1));
    disturbed = undefined;
    expect(await chargesOf(world, id)).toEqual([900]);
    expect((await viewOf(world, id)).status).toBe('active');
  });

  test('stops its clock, alerts the operator, and is settled by the operator with an audit row', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    disturbed = async () => ({ kind: 'unknown', reason: 'timeout' });
    deaf = true;
    try {
      await update(world, id, advanceClockUpdate, { to: later(40) });
      await untilView(world, id, ({ reconciling }) => reconciling);
      expect((await invoicesOf(world.pool, id)).length).toBe(2);
      await eventually(async () => {
        const { typedSearchAttributes } = await handle(id).describe();
        expect(typedSearchAttributes.get(searchAttributes.needsOperator)).toBe(true);
      });
      expect(await eventTypesOf(world.pool, id)).toContain('billing.operational_alert');
      const request = {
        outcome: 'succeeded',
        operator: 'ada',
        reason: 'seen',
        evidence: 'charge 42',
      } as const;
      expect(await update(world, id, resolveChargeUpdate, request)).toEqual({ status: 'active' });
    } finally {
      deaf = false;
      disturbed = undefined;
    }
    await untilArrived(world, id);
    expect(await statuses(id)).toEqual(['created', 'created', 'created']);
    const actors = await world.pool.anyFirst(sql.type(z.object({ actor: z.string() }))`
      select actor from audit_log where subject_id = ${id}
    `);
    expect(actors).toEqual(['temporal-ui:ada']);
    await keepHistory(handle(id), 'subscription-resolved');
  });

  test('is settled by the rail’s answer rather than the operator’s, and the stored request is answered', async () => {
    const id = await subscribe(world);
    const later = await afterFirstPeriod(world, id);
    disturbed = async (charge) => {
      await charge();
      return { kind: 'unknown', reason: 'timeout' };
    };
    deaf = true;
    try {
      await update(world, id, advanceClockUpdate, { to: later(1) });
      await untilView(world, id, ({ reconciling }) => reconciling);
    } finally {
      deaf = false;
      disturbed = undefined;
    }
    const request = {
      outcome: 'failed',
      operator: 'canary-operator',
      reason: 'canary-reason',
      evidence: 'canary-evidence',
    } as const;
    const requestId = await insertResolveRequest(world.pool, id, request);
    await handle(id).signal(resolveRequestedSignal, { requestId });
    await untilArrived(world, id);
    await untilView(world, id, ({ openAttempt }) => openAttempt === null);
    // Either the rail's answer came first, or the operator's request learned it; in both cases one charge.
    expect(await readResolveAnswer(world.pool, requestId)).toMatch(/^refused: /);
    expect(await payloadsOf(handle(id))).not.toContain('canary-');
    expect(await chargesOf(world, id)).toEqual([900]);
    expect(await statuses(id)).toEqual(['created', 'created']);
    await keepHistory(handle(id), 'subscription-resolve-refused');
  });

  test('is looked up immediately when the rail sends a webhook', async () => {
    // Only the webhook triggers a look-up within the test.
    const timings = { reconcileSeconds: [600], reconcileLongSeconds: [600] };
    const id = await subscribe(world, { timings });
    const later = await afterFirstPeriod(world, id);
    let isLost = false;
    disturbed = async (charge) => {
      await charge();
      isLost = true;
      return { kind: 'unknown', reason: 'timeout' };
    };
    deaf = true;
    await update(world, id, advanceClockUpdate, { to: later(1) });
    // The row says "called" before the rail is asked.
    const { openAttempt } = await untilView(world, id, (view) => view.openAttempt?.called === true);
    await eventually(() => expect(isLost).toBe(true));
    deaf = false;
    disturbed = undefined;
    await handle(id).signal(railWebhookSignal, { attemptId: openAttempt?.attemptId ?? '' });
    await untilView(world, id, (view) => view.openAttempt === null);
    expect(await chargesOf(world, id)).toEqual([900]);
    await keepHistory(handle(id), 'subscription-rail-webhook');
  });
});

test('no history contains personal data or a secret, and every run can be replayed', async () => {
  const id = await subscribe(world, { productId: plans.basic, card: CARDS.twoSoftDeclines });
  const later = await afterFirstPeriod(world, id);
  await update(world, id, scheduleChangeUpdate, planChange(plans.plus));
  await advance(world, id, later(70));
  await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: false });
  await handle(id).result();
  const histories: { workflowId: string; history: unknown }[] = [];
  const runs = world.client.workflow.list({ query: `WorkflowId = "${id}"` });
  for await (const { runId } of runs) {
    const history = await world.client.workflow.getHandle(id, runId).fetchHistory();
    expect(JSON.stringify(history)).not.toMatch(/canary|mandate-|4242424242424242|Kaffee/);
    histories.push({ workflowId: id, history });
  }
  expect(histories.length).toBeGreaterThan(0);
  await replayAll(histories);
});
