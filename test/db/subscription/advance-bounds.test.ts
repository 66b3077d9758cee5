/** Limits on moving sandbox clocks: the distance, and how many move at once (rule 37). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { advanceSubscription } from '../../../db/subscription/advance-subscription.ts';
import { loadSubscriptionView } from '../../../db/subscription/read/subscription-view.ts';
import { scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertOffering, insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

const advance = (subscriptionId: string, to: string, operationKey: string = randomUUID()) =>
  advanceSubscription(pool, { subscriptionId, operationKey, to });
const endOf = async (subscriptionId: string) =>
  (await loadSubscriptionView(pool, subscriptionId)).currentPeriodEnd ?? '';
const arrive = (subscriptionId: string) =>
  pool.query(
    sql.unsafe`update subscription_clocks set target = null where subscription_id = ${subscriptionId}`,
  );
const refused = (reason: string) => ({ kind: 'refused', reason });

test('a clock can cross at most 500 boundaries at once', async () => {
  const daily = await insertPlan(pool, shop.merchantId, null, {
    ...RECURRING,
    interval: 'day',
    intervalCount: 1,
  });
  const id = await insertSubscription(pool, shop, daily);
  const end = await endOf(id);
  expect(await advance(id, addDays(end, 500))).toEqual(refused('advance_too_far'));
  expect(await advance(id, addDays(end, 499))).toMatchObject({ kind: 'done' });
  await arrive(id);
});

test('a plan change is refused while the moving clock would cross too many of its periods, and accepted once the clock has arrived', async () => {
  const offering = await insertOffering(pool, shop.merchantId);
  const [monthly, daily] = [
    await insertPlan(pool, shop.merchantId, offering, RECURRING),
    await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, interval: 'day', intervalCount: 1 }),
  ];
  const changeWhileMoving = async (days: number) => {
    const id = await insertSubscription(pool, shop, monthly);
    const to = addDays(await endOf(id), days);
    expect(await advance(id, to)).toMatchObject({ kind: 'done' });
    const operation = {
      subscriptionId: id,
      operationKey: randomUUID(),
      targetOfferingId: null,
      calculatedAt: null,
    };
    const change = () => scheduleChange(pool, { ...operation, type: 'plan_change', targetPlanId: daily });
    const whileMoving = await change();
    await arrive(id);
    return { whileMoving, afterwards: await change(), again: await advance(id, to) };
  };
  expect(await changeWhileMoving(500)).toEqual({
    whileMoving: refused('advances_running'),
    afterwards: { kind: 'done', changeId: expect.any(String) },
    again: refused('advance_too_far'),
  });
  expect(await changeWhileMoving(499)).toMatchObject({ whileMoving: { kind: 'done' } });
  await pool.query(sql.unsafe`update subscription_clocks set target = null`);
});

test.each(['pending', 'requires_action'] as const)(
  'a change that is %s already counts with the boundaries of its own periods',
  async (status) => {
    const offering = await insertOffering(pool, shop.merchantId);
    const [monthly, daily] = [
      await insertPlan(pool, shop.merchantId, offering, RECURRING),
      await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, interval: 'day', intervalCount: 1 }),
    ];
    const id = await insertSubscription(pool, shop, monthly);
    const end = await endOf(id);
    const operation = {
      subscriptionId: id,
      operationKey: randomUUID(),
      targetOfferingId: null,
      calculatedAt: null,
    };
    await scheduleChange(pool, { ...operation, type: 'plan_change', targetPlanId: daily });
    await pool.query(
      sql.unsafe`update subscription_changes set status = ${status} where subscription_id = ${id}`,
    );
    expect(await advance(id, addDays(end, 500))).toEqual(refused('advance_too_far'));
  },
);

test('two clocks of a merchant may advance concurrently; a third is refused until one reaches its target', async () => {
  const ids = await Promise.all(
    [1, 2, 3, 4].map(() => insertSubscription(pool, shop, shop.products.recurring)),
  );
  const tries = await Promise.all(ids.map(async (id) => ({ id, key: randomUUID(), to: await endOf(id) })));
  const answers = await Promise.all(tries.map(({ id, key, to }) => advance(id, to, key)));
  expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(2);
  expect(answers.filter(({ kind }) => kind === 'refused')).toEqual(
    [1, 2].map(() => refused('advances_running')),
  );

  const moving = tries[answers.findIndex(({ kind }) => kind === 'done')];
  const waiting = tries[answers.findIndex(({ kind }) => kind === 'refused')];
  if (!moving || !waiting) throw new Error('no clock is moving');
  // A repeated request, or a later target for a moving clock, does not count as a third.
  expect(await advance(moving.id, moving.to, moving.key)).toMatchObject({ kind: 'done' });
  expect(await advance(moving.id, addDays(moving.to, 40))).toMatchObject({ kind: 'done' });
  // The refusal is not stored: the same request is evaluated again when repeated.
  expect(await advance(waiting.id, waiting.to, waiting.key)).toEqual(refused('advances_running'));
  await arrive(moving.id);
  expect(await advance(waiting.id, waiting.to, waiting.key)).toMatchObject({ kind: 'done' });
});

test('another merchant’s clock, or a clock that waits for an outcome, does not count towards the limit of two', async () => {
  const other = await insertShop(pool);
  const of = () => insertSubscription(pool, other, other.products.recurring);
  const ids = [await of(), await of(), await of()];
  for (const id of ids.slice(0, 2))
    expect(await advance(id, await endOf(id))).toMatchObject({ kind: 'done' });
  const [doubtful, , third] = ids as [string, string, string];
  expect(await advance(third, await endOf(third))).toEqual(refused('advances_running'));
  await pool.query(sql.unsafe`
    update subscriptions set reconciling_since = service_clock() where id = ${doubtful}`);
  expect(await advance(third, await endOf(third))).toMatchObject({ kind: 'done' });
});
