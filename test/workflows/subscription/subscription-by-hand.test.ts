/** Operator updates from Temporal UI are carried out or refused, and the loop continues. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import {
  advanceClockUpdate,
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  resolveChargeUpdate,
  scheduleChangeUpdate,
} from '../../../workflows/subscription/subscription-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertShop, RECURRING } from '../../support/db/fixtures.ts';
import { insertOffering, insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  startIt,
  subscribe,
  update,
  viewOf,
} from '../../support/world/subscription-world.ts';

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world.close());

describe('an invalid update is rejected by its validator', () => {
  test.each([
    ['an instant that PostgreSQL rejects', { to: '2099' }],
    ['an instant without its zone', { to: '2099-01-31T00:00:00' }],
    ['a day that is not in the calendar', { to: '2099-02-30T00:00:00Z' }],
    ['a missing instant', {}],
  ])('%s', async (_what, command) => {
    const id = await subscribe(world);
    await expect(update(world, id, advanceClockUpdate, command as { to: string })).rejects.toMatchObject({
      cause: { type: 'InvalidRequest' },
    });
  });

  test('an offering change without offering', async () => {
    const id = await subscribe(world);
    const command = { type: 'plan_change', targetPlanId: 'ap_prd_x' } as never;
    await expect(update(world, id, scheduleChangeUpdate, command)).rejects.toMatchObject({
      cause: { type: 'InvalidRequest' },
    });
  });

  const change = {
    type: 'plan_change',
    targetPlanId: 'ap_prd_x',
    targetOfferingId: null,
    calculatedAt: null,
  };
  const resolution = { outcome: 'failed', operator: 'ada', reason: 'seen', evidence: 'ticket 7' };
  test.each<[string, string, object]>([
    ['a change of neither plan nor offering', scheduleChangeUpdate.name, { ...change, type: 'price_change' }],
    ['a change with an empty offering', scheduleChangeUpdate.name, { ...change, targetOfferingId: '' }],
    [
      'a change calculated at an invalid instant',
      scheduleChangeUpdate.name,
      { ...change, calculatedAt: 'now' },
    ],
    ['a cancellation without atPeriodEnd', cancelSubscriptionUpdate.name, {}],
    ['a resolution with an unknown outcome', resolveChargeUpdate.name, { ...resolution, outcome: 'paid' }],
    ['a resolution without an operator', resolveChargeUpdate.name, { ...resolution, operator: '' }],
    ['a resolution without a reason', resolveChargeUpdate.name, { ...resolution, reason: undefined }],
    ['a resolution without evidence', resolveChargeUpdate.name, { ...resolution, evidence: ' ' }],
  ])('%s', async (_what, name, command) => {
    const handle = world.client.workflow.getHandle(await subscribe(world));
    await expect(handle.executeUpdate(name, { args: [command] })).rejects.toMatchObject({
      cause: { type: 'InvalidRequest' },
    });
  });

  test('the clock of a subscription in production', async () => {
    const live = await insertShop(world.pool, {}, 'production');
    const id = await insertSubscription(world.pool, live, live.products.recurring);
    await startIt(world, id);
    await expect(update(world, id, advanceClockUpdate, { to: '2099-01-01T00:00:00Z' })).rejects.toMatchObject(
      { cause: { message: expect.stringContaining('only a sandbox subscription') } },
    );
  });
});

test('a cancellation refused in one run can be requested again in the next', async () => {
  const { merchantId } = world.shop;
  const offering = await insertOffering(world.pool, merchantId);
  const basic = await insertPlan(world.pool, merchantId, offering, RECURRING);
  const plus = await insertPlan(world.pool, merchantId, offering, { ...RECURRING, amount: 1_900 });
  const id = await subscribe(world, { productId: basic });
  const later = await afterFirstPeriod(world, id);
  const handle = world.client.workflow.getHandle(id);
  const firstRun = (await handle.describe()).runId;

  const change = {
    type: 'plan_change',
    targetPlanId: plus,
    targetOfferingId: null,
    calculatedAt: null,
  } as const;
  const scheduled = await update(world, id, scheduleChangeUpdate, change);
  await handle.cancel();
  // Refused, because a change is scheduled.
  await eventually(async () => {
    const answered = await world.pool.anyFirst(sql.type(z.object({ kind: z.string() }))`
      select answer ->> 'kind' as kind from subscription_operations
      where subscription_id = ${id} and operation_key like 'temporal-cancellation%'
    `);
    expect(answered).toEqual(['refused']);
  });
  const changeId = scheduled.kind === 'done' ? (scheduled.changeId ?? '') : '';
  await update(world, id, cancelChangeUpdate, { changeId });

  await advance(world, id, later(1));
  await eventually(async () => expect((await handle.describe()).runId).not.toBe(firstRun));
  expect((await viewOf(world, id)).status).toBe('active');
  await handle.cancel();
  expect(await handle.result()).toEqual({ status: 'cancelled' });
});
