import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import {
  cancelSubscriptionUpdate,
  scheduleChangeUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { RECURRING } from '../../support/db/fixtures.ts';
import { followServer, takeOverClock } from '../../support/db/moving-clock.ts';
import { insertOffering, insertPlan, invoicesOf } from '../../support/db/subscriptions.ts';
import { replayAll } from '../../support/temporal/replay.ts';
import { timeSkippingServer } from '../../support/temporal/time-skipping.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  changeMethod,
  chargesOf,
  subscribe,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';
import {
  type Books,
  expectedBooks,
  legible,
  liveTheYear,
  YEAR,
} from '../../support/world/year-of-billing.ts';

const REAL_TIMINGS = {
  reconcileSeconds: [2, 5, 15, 30, 60, 120],
  reconcileLongSeconds: [300, 900, 3_600, 21_600, 86_400],
};

let server: TestWorkflowEnvironment;
let world: SessionWorld;

beforeAll(async () => {
  server = await timeSkippingServer();
  world = await createSessionWorld({
    timings: REAL_TIMINGS,
    temporal: {
      client: server.client,
      nativeConnection: server.nativeConnection,
      namespace: server.namespace ?? 'default',
    },
    beforeActivity: (pool) => followServer(pool, server),
  });
  await takeOverClock(world.pool);
  await world.startWorker();
  // A worker's first task takes seconds.
  const first = await world.session();
  await world.pay(first, YEAR.lastCard);
  await world.until(first, 'succeeded');
});
afterAll(async () => {
  await world?.close();
  await server?.teardown();
});

/**
 * Skips the server's time to the subscription's next action, then waits for it without skipping, so that a rail that
 * answers in real time does not see its calls time out.
 */
async function passTime(id: string, to: string): Promise<void> {
  for (;;) {
    await followServer(world.pool, server);
    const now = await server.currentTimeMs();
    const { next } = await viewOf(world, id);
    const until = Math.min(Date.parse(to), next ? Date.parse(next.at) : Number.POSITIVE_INFINITY);
    if (until > now) await server.sleep(until - now + 1_000);
    await followServer(world.pool, server);
    await untilView(world, id, (view) => !view.openAttempt && !(view.next && view.next.inMs <= 0), 60_000);
    if ((await server.currentTimeMs()) >= Date.parse(to)) return;
  }
}

const booksRow = z.object({
  status: z.string(),
  cancelled_at: z.string().nullable(),
  trial_start: z.string(),
});

async function booksOf(id: string): Promise<Books & { readonly begunAt: string }> {
  const { status, cancelled_at, trial_start } = await world.pool.one(sql.type(booksRow)`
    select status, cancelled_at, trial_start from subscriptions where id = ${id}
  `);
  const events = await world.pool.any(sql.type(z.object({ type: z.string(), occurredAt: z.string() }))`
    select type, occurred_at as "occurredAt" from events where body::jsonb #>> '{subscription,id}' = ${id}
  `);
  const taxes = await world.pool.anyFirst(sql.type(z.object({ tax: z.number() }))`
    select (line_items #>> '{0,tax_amount}')::integer as tax from invoices
    where subscription_id = ${id} order by period_start
  `);
  const invoices = (await invoicesOf(world.pool, id)).map((invoice, n) => ({
    issuedAt: invoice.issued_at,
    amount: invoice.amount,
    taxAmount: taxes[n] ?? 0,
    status: invoice.status,
    amountDue: invoice.amount_due,
    number: invoice.number,
  }));
  const charges = await chargesOf(world, id);
  return { invoices, charges, events, status, cancelledAt: cancelled_at, begunAt: trial_start };
}

test('a year of monthly billing on a time-skipping server is exact to the cent and the day', async () => {
  const { pool, shop } = world;
  const [offering, other] = [
    await insertOffering(pool, shop.merchantId),
    await insertOffering(pool, shop.merchantId),
  ];
  const basic = await insertPlan(pool, shop.merchantId, offering, {
    ...RECURRING,
    trialPeriodDays: YEAR.trialDays,
  });
  const plus = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: YEAR.plus });
  const elsewhere = await insertPlan(pool, shop.merchantId, other, { ...RECURRING, amount: YEAR.elsewhere });
  await followServer(pool, server);
  const id = await subscribe(world, { productId: basic, card: YEAR.firstCard });
  const { begunAt } = await booksOf(id);

  await liveTheYear({
    begunAt,
    advanceTo: (instant) => passTime(id, instant),
    changePlan: async () => {
      const change = {
        type: 'plan_change',
        targetPlanId: plus,
        targetOfferingId: null,
        calculatedAt: null,
      } as const;
      expect((await update(world, id, scheduleChangeUpdate, change)).kind).toBe('done');
    },
    changeOffering: async () => {
      const change = {
        type: 'offering_change',
        targetPlanId: elsewhere,
        targetOfferingId: other,
        calculatedAt: null,
      } as const;
      expect((await update(world, id, scheduleChangeUpdate, change)).kind).toBe('done');
    },
    changeCard: async (card) => {
      await followServer(pool, server);
      const change = await changeMethod(world, id);
      await world.pay(change.id, card);
      await world.until(change.id, 'succeeded');
      await untilView(world, id, (view) => !view.openAttempt && view.status === 'active', 60_000);
    },
    cancelAtPeriodEnd: async () => {
      expect((await update(world, id, cancelSubscriptionUpdate, { atPeriodEnd: true })).kind).toBe('done');
    },
  });

  const books = await booksOf(id);
  expect(legible(books, begunAt)).toEqual(expectedBooks(begunAt));
  const history = await world.client.workflow.getHandle(id).fetchHistory();
  expect(history.events?.length).toBeLessThan(60);
  await replayAll([{ workflowId: id, history }]);
}, 300_000);
