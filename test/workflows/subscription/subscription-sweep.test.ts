/** The sweep and the relay find subscriptions that were not started, lost their run or sleep too long. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { recoverOverdue } from '../../../activities/sweep/recover-overdue.ts';
import { sql } from '../../../db/core/pool.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { overdueRows } from '../../../db/sweep/late-rows.ts';
import { startUnstartedSubscriptions } from '../../../platform/temporal/start-workflows.ts';
import type { Rail } from '../../../rail/rail.ts';
import { wakeSignal } from '../../../workflows/core/messages.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { advanceClockUpdate } from '../../../workflows/subscription/subscription-messages.ts';
import { SWEEP_WORKFLOW } from '../../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertPrice, RECURRING } from '../../support/db/fixtures.ts';
import { eventTypesOf, insertSubscription, invoicesOf } from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  CARDS,
  chargesOf,
  subscribe,
  untilView,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

let world: SessionWorld;
/** The rail does not report the outcome of charges. */
let deaf = false;

beforeAll(async () => {
  world = await createSessionWorld({
    wrapRail: (rail) =>
      new Proxy(rail, {
        get(target, name) {
          const own = Reflect.get(target, name);
          if (typeof own !== 'function') return own;
          const call = own.bind(target);
          if (name !== 'chargeStored' && name !== 'lookup') return call;
          return async (request: Parameters<Rail['lookup']>[0]) => {
            // Look-ups before the first send pass: this loses the answer to a charge.
            if (name === 'lookup' && request.begunAt === null) return call(request);
            if (deaf && name === 'lookup') return { kind: 'unknown', reason: 'timeout' };
            const outcome = await call(request);
            return deaf ? { kind: 'unknown', reason: 'timeout' } : outcome;
          };
        },
      }),
  });
  await world.startWorker();
});
afterAll(() => world.close());

const sweep = () =>
  world.client.workflow.execute(SWEEP_WORKFLOW, {
    taskQueue: taskQueue('billing', 'production'),
    workflowId: `sweep-${randomUUID()}`,
  });
const statusOf = (id: string) =>
  world.client.workflow
    .getHandle(id)
    .describe()
    .then(({ status }) => status.name)
    .catch(() => 'NOT_FOUND');
/** Waits until the run has read its row and sleeps until the end of the period. */
const untilAsleep = (id: string) =>
  eventually(async () => expect(await currentDetails(world.client.workflow.getHandle(id))).not.toBe(''));
/** Simulates a period that ended that many minutes ago. */
const endedAgo = (id: string, minutes: number) =>
  world.pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock() - ${minutes}::float8 * interval '1 minute',
      next_action_at = service_clock() - ${minutes}::float8 * interval '1 minute'
    where id = ${id}
  `);

describe('the relay', () => {
  test('starts a subscription created by a checkout, once', async () => {
    const id = await insertSubscription(world.pool, world.shop, world.shop.products.recurring);
    const deps = { pool: world.pool, client: world.client, session: { timings: world.timings } };
    expect(await startUnstartedSubscriptions(deps)).toBeGreaterThan(0);
    expect(await statusOf(id)).toBe('RUNNING');
    expect(await startUnstartedSubscriptions(deps)).toBe(0);
  });

  test('ignores subscriptions that have not begun or have ended', async () => {
    for (const status of ['incomplete', 'expired', 'cancelled']) {
      const id = await insertSubscription(world.pool, world.shop, world.shop.products.recurring);
      await world.pool.query(sql.unsafe`update subscriptions set status = ${status} where id = ${id}`);
    }
    const deps = { pool: world.pool, client: world.client, session: { timings: world.timings } };
    expect(await startUnstartedSubscriptions(deps)).toBe(0);
  });
});

describe('the sweep', () => {
  test('restarts a subscription whose run was lost, and the new run adopts the claimed charge', async () => {
    const id = await subscribe(world);
    await world.client.workflow.getHandle(id).terminate('lost in this test');
    await endedAgo(id, 2);
    await renewPeriod(world.pool, id);
    expect((await viewOf(world, id)).openAttempt).toMatchObject({ called: false });
    await endedAgoOnly(id);
    await sweep();
    await untilView(world, id, (view) => view.openAttempt === null);
    expect(await chargesOf(world, id)).toEqual([900]);
    expect((await invoicesOf(world.pool, id)).map(({ status }) => status)).toEqual(['created', 'created']);
  });

  test('signals a subscription that sleeps past its due time', async () => {
    const id = await subscribe(world);
    await untilAsleep(id);
    await endedAgo(id, 2);
    expect(await overdueRows(world.pool, 'subscription', 100)).toContain(id);
    await sweep();
    await untilView(world, id, (view) => view.openAttempt === null && (view.next?.inMs ?? 0) > 0);
    expect(await chargesOf(world, id)).toEqual([900]);
  });

  test('signals a subscription whose announced renewal is moved to a new price', async () => {
    const { pool, shop } = world;
    await createEndpoint(pool, shop, { eventTypes: ['subscription.renewal_upcoming'] });
    const id = await subscribe(world);
    await untilAsleep(id);
    await pool.query(sql.unsafe`
      update subscriptions set current_period_end = service_clock() + interval '1 day', announce_at = null where id = ${id}`);
    const productId = shop.products.recurring;
    const newPriceId = await insertPrice(pool, productId, {
      ...RECURRING,
      amount: 1_100,
      status: 'inactive',
    });
    await pool.query(sql.unsafe`
      insert into price_moves (merchant_id, environment, product_id, old_price_id, new_price_id, from_at, notice_days)
      select ${shop.merchantId}, 'sandbox', ${productId}, price_id, ${newPriceId}, service_clock(), 0
      from subscriptions where id = ${id}`);
    await sweep();
    await eventually(async () =>
      expect(await eventTypesOf(pool, id)).toContain('subscription.renewal_upcoming'),
    );
    await pool.query(sql.unsafe`update price_moves set cancelled_at = service_clock()`);
  });

  test('does not signal a run whose task waits for a worker', async () => {
    const id = await subscribe(world);
    await untilAsleep(id);
    await world.stopWorker();
    const run = world.client.workflow.getHandle(id);
    await endedAgo(id, 2);
    await run.signal(wakeSignal);
    await recoverOverdue(world.deps, 'subscription');
    const { events } = await run.fetchHistory();
    const signals = (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes);
    expect(signals).toHaveLength(1);
    await world.startWorker();
    await untilView(world, id, (view) => view.openAttempt === null && (view.next?.inMs ?? 0) > 0);
    expect(await chargesOf(world, id)).toEqual([900]);
  });

  test("uses the subscription's own clock", async () => {
    const id = await subscribe(world);
    await untilAsleep(id);
    await world.pool.query(sql.unsafe`
      insert into subscription_clocks (subscription_id, ahead_ms)
      select id, extract(epoch from current_period_end - service_clock()) * 1000 + 360000
      from subscriptions where id = ${id}
    `);
    const overdue = await overdueRows(world.pool, 'subscription', 100);
    expect(overdue).toContain(id);
    const listed = (await listIncidents(world.pool)).filter((each) => each.id === id);
    expect(listed).toMatchObject([{ kind: 'overdue' }]);
    await sweep();
    await untilView(world, id, (view) => view.openAttempt === null && (view.next?.inMs ?? 0) > 0);
    expect(await chargesOf(world, id)).toEqual([900]);
  });

  test('signals a subscription whose workflow does not know the target of its clock', async () => {
    const id = await subscribe(world);
    const run = world.client.workflow.getHandle(id);
    await eventually(async () => expect(await currentDetails(run)).not.toBe(''));
    const { currentPeriodEnd: to } = await viewOf(world, id);
    // Stored without the workflow's command, as after a restore of Temporal alone.
    await world.pool.query(
      sql.unsafe`insert into subscription_clocks (subscription_id, target) values (${id}, ${to})`,
    );
    const overdue = async () => await overdueRows(world.pool, 'subscription', 100);
    expect(await overdue()).not.toContain(id);
    await world.pool.query(sql.unsafe`
      update subscription_clocks set moved_at = service_clock() - interval '6 minutes' where subscription_id = ${id}
    `);
    expect((await listIncidents(world.pool)).filter((each) => each.id === id)).toMatchObject([
      { kind: 'overdue' },
    ]);
    await sweep();
    await untilView(world, id, (view) => view.clockTarget === null && view.openAttempt === null);
    expect(await chargesOf(world, id)).toEqual([900]);
    expect(await overdue()).not.toContain(id);
  });

  test('signals rail webhooks about a charge, and alerts weekly about a charge in doubt, listed for operators', async () => {
    const id = await subscribe(world, { card: CARDS.approved });
    const { currentPeriodEnd } = await viewOf(world, id);
    deaf = true;
    await update(world, id, advanceClockUpdate, { to: currentPeriodEnd ?? '' });
    const { openAttempt } = await untilView(world, id, ({ reconciling }) => reconciling);
    const waiting = (await listIncidents(world.pool)).filter((each) => each.id === id);
    expect(waiting).toMatchObject([{ kind: 'reconciliation_required' }]);

    await world.pool.query(sql.unsafe`
      update subscriptions set reconciling_since = service_clock() - interval '15 days' where id = ${id}
    `);
    await sweep();
    await sweep();
    const reminders = await world.pool.any(sql.type(z.object({ version: z.number() }))`
      select aggregate_version as version from events
      where aggregate_id = ${`${openAttempt?.attemptId}-reconciliation`}
    `);
    expect(reminders).toEqual([{ version: 2 }]);

    deaf = false;
    await storeRailWebhook(world.pool, {
      railAccountId: world.shop.railAccountId,
      railEventId: randomUUID(),
      reference: openAttempt?.attemptId ?? '',
      hint: 'approved',
    });
    await world.pool.query(
      sql.unsafe`update rail_webhooks set received_at = service_clock() - interval '1 minute'`,
    );
    await sweep();
    await untilView(world, id, (view) => view.openAttempt === null, 5_000);
    const unheard = await world.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
      select count(*) as n from rail_webhooks where reference = ${openAttempt?.attemptId ?? ''} and applied_at is null
    `);
    expect(unheard).toBe(0);
    expect((await listIncidents(world.pool)).filter((each) => each.id === id)).toEqual([]);
  });
});

/** Makes the row overdue and changes nothing else. */
async function endedAgoOnly(id: string): Promise<void> {
  await world.pool.query(sql.unsafe`
    update subscriptions set next_action_at = service_clock() - interval '2 minutes' where id = ${id}
  `);
}
