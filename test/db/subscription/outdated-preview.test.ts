import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { cancelSubscription } from '../../../db/subscription/cancel-subscription.ts';
import { pauseSubscription, resumeSubscription } from '../../../db/subscription/pause-subscription.ts';
import {
  type PreviewedChange,
  previewCancel,
  previewResume,
} from '../../../db/subscription/preview-change.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { APPROVED } from '../../support/db/attempts.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { beginAt, driverOf, insertSubscription, invoicesOf } from '../../support/db/subscriptions.ts';

const START = '2044-01-31T09:30:00.000Z';
const END = '2044-02-29T09:30:00.000Z';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

/** A subscription on the tenth day of its month. */
async function subscribed() {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  await beginAt(pool, subscriptionId, START);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  await driver.advance(addDays(START, 9));
  const operation = () => ({ subscriptionId, operationKey: randomUUID() });
  /** Does not carry out actions that become due. */
  const wait = (ms: number) =>
    pool.query(sql.unsafe`
      update subscription_clocks set ahead_ms = ahead_ms + ${ms} where subscription_id = ${subscriptionId}`);
  const preview = async (atPeriodEnd = true) =>
    calculated(await previewCancel(pool, { subscriptionId, atPeriodEnd }));
  const cancel = (calculatedAt: string, atPeriodEnd = true) =>
    cancelSubscription(pool, { ...operation(), atPeriodEnd, calculatedAt });
  return { subscriptionId, driver, operation, wait, preview, cancel };
}

function calculated(previewed: Awaited<ReturnType<typeof previewCancel>>): PreviewedChange {
  if (previewed.kind === 'refused') throw new Error(previewed.reason);
  return previewed;
}

const OUTDATED = { kind: 'refused', reason: 'preview_outdated', total: 0 };

test.each([true, false])(
  'a cancellation with its preview takes effect within 15 minutes, at_period_end %s',
  async (atPeriodEnd) => {
    const { subscriptionId, driver, wait, preview, cancel } = await subscribed();
    const { calculatedAt } = await preview(atPeriodEnd);
    await wait(901_000);
    expect(await cancel(calculatedAt, atPeriodEnd)).toEqual(OUTDATED);
    const outdated = await previewCancel(pool, { subscriptionId, atPeriodEnd, calculatedAt });
    expect(outdated).toEqual(OUTDATED);
    expect((await driver.view()).status).toBe('active');
    const { calculatedAt: next, effectiveAt } = await preview(atPeriodEnd);
    expect(effectiveAt).toBe(atPeriodEnd ? END : next);
    await wait(890_000);
    expect(await cancel(next, atPeriodEnd)).toMatchObject({ kind: 'done' });
    expect((await driver.view()).status).toBe(atPeriodEnd ? 'active' : 'cancelled');
  },
);

test('a preview of a cancellation is outdated once the subscription has changed', async () => {
  const { operation, preview, cancel } = await subscribed();
  const { calculatedAt } = await preview();
  await pauseSubscription(pool, { ...operation(), resumesAt: null });
  expect(await cancel(calculatedAt)).toEqual(OUTDATED);
  expect(await cancel((await preview()).calculatedAt)).toMatchObject({ kind: 'done' });
});

test('a preview of a cancellation is outdated once its period is over; one made afterwards is not', async () => {
  const { driver, wait, preview, cancel } = await subscribed();
  await driver.advance(new Date(Date.parse(END) - 60_000).toISOString());
  const { calculatedAt } = await preview();
  await wait(120_000);
  expect(await cancel(calculatedAt)).toEqual(OUTDATED);
  const late = await preview();
  expect(late.effectiveAt).toBe(END);
  expect(await cancel(late.calculatedAt)).toMatchObject({ kind: 'done' });
  await driver.run();
  expect((await driver.view()).status).toBe('cancelled');
});

test('a preview of a resumption is outdated once the pause is over, even if that is processed late', async () => {
  const { subscriptionId, driver, operation, wait } = await subscribed();
  const resumesAt = addDays(END, 3);
  await pauseSubscription(pool, { ...operation(), resumesAt });
  await driver.advance(addDays(END, 1));
  await driver.advance(new Date(Date.parse(resumesAt) - 60_000).toISOString());
  const preview = async () => calculated(await previewResume(pool, subscriptionId));
  const resume = (calculatedAt: string) => resumeSubscription(pool, { ...operation(), calculatedAt });
  const before = await preview();
  await wait(120_000);
  const outdated = { ...OUTDATED, total: before.total };
  expect(await resume(before.calculatedAt)).toEqual(outdated);
  expect(await resume((await preview()).calculatedAt)).toEqual(outdated);
  await driver.run();
  expect(await invoicesOf(pool, subscriptionId)).toMatchObject([{}, { period_start: resumesAt }]);
});
