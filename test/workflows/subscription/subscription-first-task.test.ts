import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cancelSubscription } from '../../../db/subscription/cancel-subscription.ts';
import { findStartableSubscription } from '../../../db/subscription/read/subscription-sweep.ts';
import { railWebhookSignal, wakeSignal } from '../../../workflows/core/messages.ts';
import {
  advanceClockUpdate,
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  methodUpdatedUpdate,
  moveTrialUpdate,
  pauseSubscriptionUpdate,
  resolveChargeUpdate,
  SUBSCRIPTION_WORKFLOW,
  scheduleChangeUpdate,
  subscriptionStart,
  undoCancelUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { RECURRING } from '../../support/db/fixtures.ts';
import { insertOffering, insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';
import { keepHistory, replayAll } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import { startIt, viewOf } from '../../support/world/subscription-world.ts';

/**
 * Rule 10: a message in the first task of a run, during the loading of the subscription, must neither wedge
 * the run nor be lost. Every kind of message comes first here, alone and in pairs; each run is replayed.
 */
let world: SessionWorld;
let plans: readonly [basic: string, plus: string];

beforeAll(async () => {
  world = await createSessionWorld();
  const offering = await insertOffering(world.pool, world.shop.merchantId);
  const plan = (amount: number) =>
    insertPlan(world.pool, world.shop.merchantId, offering, { ...RECURRING, amount });
  plans = [await plan(900), await plan(1_900)];
});
afterAll(() => world.close());

const handle = (id: string) => world.client.workflow.getHandle(id);
const newSubscription = () => insertSubscription(world.pool, world.shop, plans[0]);
const request = { outcome: 'failed', operator: 'op', reason: 'r', evidence: 'e' } as const;

type Send = (id: string) => Promise<unknown>;
const FIRST: Readonly<Record<string, Send>> = {
  planChange: (id) =>
    handle(id).executeUpdate(scheduleChangeUpdate, {
      args: [{ type: 'plan_change', targetPlanId: plans[1], targetOfferingId: null, calculatedAt: null }],
    }),
  cancelChange: (id) => handle(id).executeUpdate(cancelChangeUpdate, { args: [{ changeId: 'ap_chg_none' }] }),
  cancel: (id) => handle(id).executeUpdate(cancelSubscriptionUpdate, { args: [{ atPeriodEnd: false }] }),
  cancelLater: (id) => handle(id).executeUpdate(cancelSubscriptionUpdate, { args: [{ atPeriodEnd: true }] }),
  pause: (id) => handle(id).executeUpdate(pauseSubscriptionUpdate, { args: [{ resumesAt: null }] }),
  moveTrial: (id) => handle(id).executeUpdate(moveTrialUpdate, { args: [{ endsAt: null }] }),
  undoCancel: (id) => handle(id).executeUpdate(undoCancelUpdate, { args: [{}] }),
  advance: async (id) => {
    const to = new Date(Date.now() + 40 * 86_400_000).toISOString();
    return handle(id).executeUpdate(advanceClockUpdate, { args: [{ to }] });
  },
  methodUpdated: (id) => handle(id).executeUpdate(methodUpdatedUpdate),
  resolve: (id) => handle(id).executeUpdate(resolveChargeUpdate, { args: [request] }),
  refused: (id) => handle(id).executeUpdate(advanceClockUpdate, { args: [{ to: 'never' }] }),
  railWebhook: (id) => handle(id).signal(railWebhookSignal, { attemptId: 'ap_pay_none' }),
  wake: (id) => handle(id).signal(wakeSignal),
};
const names = Object.keys(FIRST);
const pairs = names.flatMap((a, n) => names.slice(n).map((b) => [a, b] as const));

describe("the first task of a subscription's run", () => {
  test('handles every message and every pair of messages, and each history can be replayed', async () => {
    const cases: readonly (readonly string[])[] = [...names.map((name) => [name]), ...pairs];
    const runs = [];
    for (const sends of cases) {
      const id = await newSubscription();
      await startIt(world, id);
      runs.push({
        id,
        sends,
        sent: sends.map((name) => FIRST[name]?.(id).catch((error: Error) => error.name)),
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await world.startWorker();
    const histories = [];
    for (const { id, sends, sent } of runs) {
      await Promise.all(sent);
      // Whatever came first, the run still handles later messages.
      await handle(id)
        .executeUpdate(cancelSubscriptionUpdate, { args: [{ atPeriodEnd: true }] })
        .catch(() => {});
      histories.push({ workflowId: id, history: await handle(id).fetchHistory() });
      if (sends.length === 1) await keepHistory(handle(id), `subscription-first-${sends[0]}`);
    }
    await replayAll(histories);
    await world.stopWorker();
  }, 600_000);

  test('answers an operation whose first reply was lost with its task, even if it ended the subscription', async () => {
    const id = await newSubscription();
    const row = await findStartableSubscription(world.pool, id);
    if (!row) throw new Error('not startable');
    const operationKey = randomUUID();
    // The transaction that the lost task has committed.
    await cancelSubscription(world.pool, { subscriptionId: id, operationKey, atPeriodEnd: false });
    await world.client.workflow.start(SUBSCRIPTION_WORKFLOW, subscriptionStart(row, world.timings));
    const again = handle(id).executeUpdate(cancelSubscriptionUpdate, {
      args: [{ atPeriodEnd: false }] as [{ atPeriodEnd: boolean }],
      updateId: operationKey,
    });
    const stranger = handle(id).executeUpdate(cancelSubscriptionUpdate, { args: [{ atPeriodEnd: false }] });
    await world.startWorker();
    expect(await again).toEqual({ kind: 'done', changeId: null });
    expect(await stranger).toEqual({ kind: 'refused', reason: 'subscription_finished' });
    expect(await handle(id).result()).toEqual({ status: 'cancelled' });
    expect((await viewOf(world, id)).status).toBe('cancelled');
    await world.stopWorker();
  }, 60_000);
});
