import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { cancelSubscription } from '../../../db/subscription/cancel-subscription.ts';
import { setTarget } from '../../../db/subscription/core/sandbox-clock.ts';
import { moveTrial } from '../../../db/subscription/move-trial.ts';
import { previewMoveTrial } from '../../../db/subscription/preview-change.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays, boundary } from '../../../domain/core/calendar.ts';
import { APPROVED } from '../../support/db/attempts.ts';
import { insertShop, RECURRING } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  driverOf,
  eventTypesOf,
  insertOffering,
  insertPlan,
  insertSubscription,
  invoicesOf,
} from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());

const columnsRow = z.object({
  status: z.string(),
  trial_end: z.string(),
  billing_anchor: z.string(),
  current_period_end: z.string(),
  next_action_at: z.string(),
  announce_at: z.string().nullable(),
});

/** A trial of 14 days, then 9.00 a month, for a merchant whose endpoint subscribes to the announcements. */
async function inTrial() {
  const scope = await insertShop(pool);
  await createEndpoint(pool, scope, {
    eventTypes: ['subscription.trial_ending', 'subscription.renewal_upcoming'],
  });
  const offering = await insertOffering(pool, scope.merchantId);
  const plan = await insertPlan(pool, scope.merchantId, offering, { ...RECURRING, trialPeriodDays: 14 });
  const plus = await insertPlan(pool, scope.merchantId, offering, { ...RECURRING, amount: 1_900 });
  const subscriptionId = await insertSubscription(pool, scope, plan);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  const end = (await driver.view()).currentPeriodEnd ?? '';
  const from = (days: number) => addDays(end, days);
  const move = (
    endsAt: string | null,
    operationKey: string = randomUUID(),
    calculatedAt: string | null = null,
  ) => moveTrial(pool, { subscriptionId, operationKey, endsAt, calculatedAt });
  const preview = (endsAt: string | null) => previewMoveTrial(pool, { subscriptionId, endsAt });
  const columns = () =>
    pool.one(sql.type(columnsRow)`
      select status, trial_end, billing_anchor, current_period_end, next_action_at, announce_at
      from subscriptions where id = ${subscriptionId}`);
  const announced = () =>
    pool.anyFirst(sql.unsafe`
      select body::jsonb #>> '{next_renewal,at}' as at from events
      where merchant_id = ${scope.merchantId} and type = 'subscription.trial_ending' order by occurred_at`);
  return { scope, plus, subscriptionId, driver, end, from, move, preview, columns, announced };
}

test('a trial that is extended ends, is announced and is charged once at its new end', async () => {
  const { subscriptionId, driver, from, end, move, preview, columns, announced } = await inTrial();
  await driver.advance(from(-1));
  expect(await announced()).toEqual([end]);
  expect(await preview(from(20))).toMatchObject({
    total: 0,
    lines: [],
    effectiveAt: from(20),
    nextRenewal: { at: from(20), total: 900 },
  });
  expect(await move(from(20))).toEqual({ kind: 'done', changeId: null });
  const moved = { trial_end: from(20), billing_anchor: from(20), current_period_end: from(20) };
  expect(await columns()).toMatchObject({ status: 'trialing', ...moved, announce_at: from(17) });
  await driver.advance(from(19));
  expect(await announced()).toEqual([end, from(20)]);
  expect(await invoicesOf(pool, subscriptionId)).toEqual([]);
  await driver.advance(from(21));
  expect(await invoicesOf(pool, subscriptionId)).toMatchObject([
    { amount: 900, period_start: from(20), period_end: boundary(from(20), 'month', 1), status: 'created' },
  ]);
  expect((await columns()).trial_end).toBe(from(20));
});

test('ending a trial now charges the first period, from which later periods are dated', async () => {
  const { subscriptionId, driver, move, preview, columns } = await inTrial();
  expect(await preview(null)).toMatchObject({
    total: 900,
    lines: [{ amount: 900 }],
    nextRenewal: { total: 900 },
  });
  const moved = await move(null, 'now');
  const { trial_end: ended, next_action_at: due } = await columns();
  expect([moved.kind, Date.parse(due) <= Date.now()]).toEqual(['done', true]);
  await driver.run();
  const [first] = await invoicesOf(pool, subscriptionId);
  expect(first).toMatchObject({ amount: 900, period_start: ended, period_end: boundary(ended, 'month', 1) });
  expect(await columns()).toMatchObject({ status: 'active', billing_anchor: ended });
  expect(await move(null, 'now')).toEqual(moved);
  expect(await move(null)).toEqual({ kind: 'refused', reason: 'subscription_not_trialing' });
  expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
});

test('a trial that is ended with its preview is charged from that time, with those lines', async () => {
  const { subscriptionId, driver, from, move, preview, columns } = await inTrial();
  await driver.advance(from(-1));
  const previewed = await preview(null);
  if (previewed.kind === 'refused') throw new Error(previewed.reason);
  const { calculatedAt, total, nextRenewal } = previewed;
  await pool.query(sql.unsafe`
    update subscription_clocks set ahead_ms = ahead_ms + 60000 where subscription_id = ${subscriptionId}`);
  expect(await move(null, 'now', calculatedAt)).toMatchObject({ kind: 'done' });
  await driver.run();
  expect(await columns()).toMatchObject({ status: 'active', trial_end: calculatedAt });
  expect(await invoicesOf(pool, subscriptionId)).toMatchObject([
    { amount: total, period_start: calculatedAt, period_end: nextRenewal?.at },
  ]);
});

test('a preview of a trial’s end is outdated after 15 minutes and by a change, with the new first charge', async () => {
  const { subscriptionId, plus, from, move, preview, columns } = await inTrial();
  const previewed = await preview(from(20));
  if (previewed.kind === 'refused') throw new Error(previewed.reason);
  const plan = {
    type: 'plan_change',
    targetPlanId: plus,
    targetOfferingId: null,
    calculatedAt: null,
  } as const;
  await scheduleChange(pool, { subscriptionId, operationKey: randomUUID(), ...plan });
  const outdated = { kind: 'refused', reason: 'preview_outdated', total: 1_900 };
  const { trial_end: before } = await columns();
  for (const endsAt of [from(20), null])
    expect(await move(endsAt, undefined, previewed.calculatedAt)).toEqual(outdated);
  const next = await preview(from(20));
  if (next.kind === 'refused') throw new Error(next.reason);
  const wait = (ms: number) =>
    pool.query(sql.unsafe`
      insert into subscription_clocks (subscription_id, ahead_ms) values (${subscriptionId}, ${ms})
      on conflict (subscription_id) do update set ahead_ms = ${ms}`);
  await wait(900_000);
  expect(await move(from(20), undefined, next.calculatedAt)).toEqual(outdated);
  expect((await columns()).trial_end).toBe(before);
  await wait(800_000);
  expect(await move(from(20), undefined, next.calculatedAt)).toMatchObject({ kind: 'done' });
});

test('a change scheduled for the end of the trial moves with it, earlier or later', async () => {
  for (const days of [-7, 7]) {
    const { subscriptionId, driver, plus, from, move, preview } = await inTrial();
    const change = {
      type: 'plan_change',
      targetPlanId: plus,
      targetOfferingId: null,
      calculatedAt: null,
    } as const;
    await scheduleChange(pool, { subscriptionId, operationKey: randomUUID(), ...change });
    expect(await preview(null)).toMatchObject({ total: 1_900 });
    expect(await preview(from(days))).toMatchObject({ nextRenewal: { at: from(days), total: 1_900 } });
    await move(from(days));
    expect((await driver.view()).change?.effectiveAt).toBe(from(days));
    await driver.advance(from(days + 1));
    expect(await invoicesOf(pool, subscriptionId)).toMatchObject([{ amount: 1_900 }]);
  }
});

test('the new end must be in the future, at most 730 days ahead', async () => {
  const { driver, end, move, preview, columns } = await inTrial();
  const before = await columns();
  const now = new Date().toISOString();
  const invalid = { kind: 'refused', reason: 'trial_end_invalid' };
  expect(await move(addDays(now, -1))).toEqual(invalid);
  expect(await move(addDays(now, 731))).toEqual(invalid);
  expect(await preview(addDays(now, 731))).toEqual(invalid);
  expect(await columns()).toEqual(before);
  expect(await move(addDays(now, 729))).toMatchObject({ kind: 'done' });
  expect(await move(end)).toMatchObject({ kind: 'done' });
  expect((await driver.view()).currentPeriodEnd).toBe(end);
});

test('moving a trial to its current end changes nothing and sends no event', async () => {
  const { subscriptionId, end, move, columns } = await inTrial();
  const [before, events] = [await columns(), await eventTypesOf(pool, subscriptionId)];
  expect(await move(end)).toMatchObject({ kind: 'done' });
  expect([await columns(), await eventTypesOf(pool, subscriptionId)]).toEqual([before, events]);
});

test('a trial cannot be moved once it is over, nor while the clock is moving', async () => {
  const { subscriptionId, driver, from, move } = await inTrial();
  await pool.transaction((tx) => setTarget(tx, subscriptionId, from(-1)));
  expect(await move(from(5))).toEqual({ kind: 'refused', reason: 'advances_running' });
  await driver.run();
  // The worker is late: the clock has passed the end, which has not been processed yet.
  await pool.query(sql.unsafe`
    update subscription_clocks set ahead_ms = ahead_ms + ${2 * 86_400_000} where subscription_id = ${subscriptionId}`);
  expect(await move(from(5))).toEqual({ kind: 'refused', reason: 'subscription_not_trialing' });
  await driver.run();
  expect(await invoicesOf(pool, subscriptionId)).toMatchObject([{ period_start: from(0) }]);
});

test('a move that races the trial’s end either takes effect first or is refused, with one charge either way', async () => {
  const reasons = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const { subscriptionId, driver, from, move, end } = await inTrial();
    await driver.advance(from(-1));
    // Under load every move would come after 30 ms: the first one always comes in time.
    const leftMs = round === 0 ? 60_000 : 30;
    await pool.query(sql.unsafe`
      update subscription_clocks set ahead_ms = extract(epoch from ${end}::timestamptz - service_clock()) * 1000 - ${leftMs}
      where subscription_id = ${subscriptionId}`);
    await new Promise((resolve) => setTimeout(resolve, round * 5));
    const crossing = async () => {
      for (let asked = 0; asked < 20; asked++) await renewPeriod(pool, subscriptionId);
    };
    const [moved] = await Promise.all([move(from(10)), crossing()]);
    await driver.advance(from(11));
    const start = moved.kind === 'done' ? from(10) : end;
    reasons.add(moved.kind === 'done' ? 'done' : moved.reason);
    expect(await invoicesOf(pool, subscriptionId)).toMatchObject([
      { amount: 900, period_start: start, status: 'created' },
    ]);
  }
  expect([...reasons].toSorted()).toEqual(['done', 'subscription_not_trialing']);
});

test('a trial that ends with a cancellation cannot be moved', async () => {
  const { subscriptionId, from, move, preview } = await inTrial();
  await cancelSubscription(pool, { subscriptionId, operationKey: randomUUID(), atPeriodEnd: true });
  const refused = { kind: 'refused', reason: 'subscription_cancel_scheduled' };
  expect([await preview(from(5)), await move(from(5))]).toEqual([refused, refused]);
});
