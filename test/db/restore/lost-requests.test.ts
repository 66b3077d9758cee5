/** What merchants had asked for, as Temporal remembers it, in a restored database (rule 29). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import { explain } from '../../../db/operations/explain.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { closeDifference } from '../../../db/restore/close-differences.ts';
import {
  adoptCancellation,
  adoptWithdrawnChange,
  listLostRequest,
} from '../../../db/restore/lost-requests.ts';
import { cancelSubscription } from '../../../db/subscription/cancel-subscription.ts';
import { crossBoundary } from '../../../db/subscription/renew-subscription.ts';
import { cancelChange, scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { APPROVED } from '../../support/db/attempts.ts';
import { insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertOffering, insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function cancelledAtPeriodEnd() {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const asked = { subscriptionId, operationKey: randomUUID(), at: await readClock(pool), atPeriodEnd: true };
  return { subscriptionId, asked };
}

/** The period ends, and the next one begins with the claim of its charge. */
async function nextPeriod(subscriptionId: string): Promise<void> {
  await pool.query(sql.unsafe`
    with moment as materialized (select date_trunc('milliseconds', service_clock()) as at), change as (
      update subscription_changes set effective_at = moment.at from moment where subscription_id = ${subscriptionId}
    )
    update subscriptions set current_period_end = moment.at from moment where id = ${subscriptionId}`);
  await crossBoundary(pool, subscriptionId);
}

const calls = (subscriptionId: string) =>
  pool.anyFirst(sql.type(z.object({ begun: z.boolean() }))`
    select p.call_started_at is not null as begun from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null`);

test('a cancellation is stored again, once, for the end of its period', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  expect(await adoptCancellation(pool, asked)).toBe('ends_with_its_period');
  expect(await adoptCancellation(pool, asked)).toBeNull();
  await nextPeriod(subscriptionId);
  expect((await driverOf(pool, subscriptionId, () => APPROVED).view()).status).toBe('cancelled');
  expect(await calls(subscriptionId)).toEqual([]);
});

test('the next period, which began meanwhile, is not charged: its claim is looked up and never sent', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  await nextPeriod(subscriptionId);
  expect(await calls(subscriptionId)).toEqual([false]);
  expect(await adoptCancellation(pool, asked)).toBe('ended');
  expect(await calls(subscriptionId)).toEqual([true]);
  const driver = driverOf(pool, subscriptionId, () => ({ kind: 'cancelled' }));
  while (await driver.turn());
  expect((await driver.view()).status).toBe('cancelled');
});

test('the next period, if the rail had charged it, runs to its end', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  await nextPeriod(subscriptionId);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  await driver.turn();
  expect(await adoptCancellation(pool, asked)).toBe('ends_with_its_period');
  expect((await driver.view()).status).toBe('active');
});

test('an immediate cancellation ends the subscription, and one that the database still has changes nothing', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  await cancelSubscription(pool, { ...asked, operationKey: 'known' });
  const known = { ...asked, operationKey: 'known', atPeriodEnd: false };
  expect(await adoptCancellation(pool, known)).toBeNull();
  expect(await adoptCancellation(pool, { ...asked, atPeriodEnd: false })).toBe('ended');
  expect(await adoptCancellation(pool, { ...asked, operationKey: 'later' })).toBeNull();
  expect((await driverOf(pool, subscriptionId, () => APPROVED).view()).status).toBe('cancelled');
  expect(await adoptCancellation(pool, { ...asked, subscriptionId: 'ap_sub_lost' })).toBeNull();
});

test('each lost request is listed once, in a separate row, until it is settled', async () => {
  const { subscriptionId, asked } = await cancelledAtPeriodEnd();
  const change = { ...asked, name: 'scheduleChange' };
  const later = { ...change, operationKey: randomUUID() };
  expect(await listLostRequest(pool, 1, change)).toBe(true);
  expect(await listLostRequest(pool, 1, later)).toBe(true);
  expect(await listLostRequest(pool, 1, change)).toBe(false);
  const ids = [change, later].map(({ operationKey }) => `${subscriptionId}:${operationKey}`);
  expect((await listedOf(subscriptionId)).sort()).toEqual(ids.sort());
  const settled = { reference: ids[0] ?? '', operator: 'ada', evidence: 'repeated' };
  expect(await closeDifference(pool, settled)).toMatchObject({ closed: true });
  expect(await listedOf(subscriptionId)).toEqual([ids[1]]);
  expect(await listLostRequest(pool, 2, change)).toBe(false);
  await cancelSubscription(pool, { ...asked, operationKey: 'known' });
  expect(await listLostRequest(pool, 3, { ...change, operationKey: 'known' })).toBe(false);
});

const listedOf = async (subscriptionId: string) =>
  (await explainById(subscriptionId)).incidents
    .filter(({ kind }) => kind === 'not_in_database')
    .map(({ id }) => id);

async function explainById(id: string) {
  const [subject] = await searchSubjects(pool, id, null, 1);
  if (!subject) throw new Error(`${id} is unknown`);
  return explain(pool, subject, { runbookUrl: '' });
}

describe('a lost withdrawal of a plan change', () => {
  async function scheduled() {
    const offering = await insertOffering(pool, shop.merchantId);
    const plan = (amount: number) => insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount });
    const subscriptionId = await insertSubscription(pool, shop, await plan(900));
    const targetPlanId = await plan(1_900);
    const answer = await scheduleChange(pool, {
      subscriptionId,
      operationKey: 'schedule',
      type: 'plan_change',
      targetPlanId,
      targetOfferingId: null,
    });
    const changeId = answer.kind === 'done' ? answer.changeId : null;
    return { subscriptionId, operationKey: 'withdraw', at: await readClock(pool), changeId };
  }

  test('is stored again, once: the next period is charged at the old price', async () => {
    const asked = await scheduled();
    expect(await adoptWithdrawnChange(pool, asked)).toBe('withdrawn');
    expect(await adoptWithdrawnChange(pool, asked)).toBeNull();
    await nextPeriod(asked.subscriptionId);
    expect((await driverOf(pool, asked.subscriptionId, () => APPROVED).view()).amount).toBe(900);
  });

  test('is too late when the change took effect, and leaves no answer under its key', async () => {
    const asked = await scheduled();
    await nextPeriod(asked.subscriptionId);
    expect(await adoptWithdrawnChange(pool, asked)).toBe('too_late');
    expect(await listLostRequest(pool, 1, { ...asked, name: 'cancelChange' })).toBe(true);
  });

  test('needs nothing if the change was lost too or is withdrawn, or if its subscription is missing', async () => {
    const asked = await scheduled();
    expect(await adoptWithdrawnChange(pool, { ...asked, changeId: 'ap_chg_lost' })).toBeNull();
    await cancelChange(pool, { ...asked, operationKey: 'withdraw', changeId: asked.changeId ?? '' });
    expect(await adoptWithdrawnChange(pool, asked)).toBeNull();
    expect(await adoptWithdrawnChange(pool, { ...asked, operationKey: 'another' })).toBeNull();
    expect(await adoptWithdrawnChange(pool, { ...asked, subscriptionId: 'ap_sub_lost' })).toBeNull();
  });
});
