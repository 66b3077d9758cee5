/** Merchants' requests that Temporal still has after a restore of the database (rule 29). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, readClock, sql } from '../../../db/core/pool.ts';
import { explain } from '../../../db/operations/explain.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { beginChargeStored } from '../../../db/payment/stored-charge.ts';
import { closeDifference } from '../../../db/restore/close-differences.ts';
import { type LostRequest, listLostRequest } from '../../../db/restore/lost-requests.ts';
import { cancelSubscription, undoCancel } from '../../../db/subscription/cancel-subscription.ts';
import { setTarget } from '../../../db/subscription/core/sandbox-clock.ts';
import { pauseSubscription, resumeSubscription } from '../../../db/subscription/pause-subscription.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, answer, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, eventTypesOf, insertSubscription, invoicesOf } from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function cancelled() {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const asked: LostRequest = {
    subscriptionId,
    operationKey: randomUUID(),
    at: await readClock(pool),
    name: 'cancelSubscription',
    effect: 'stops',
    resumesAt: null,
  };
  return { subscriptionId, asked, reference: `${subscriptionId}:${asked.operationKey}` };
}

/** Ends the period, and begins the next one with the claim of its charge. */
async function nextPeriod(subscriptionId: string): Promise<void> {
  await pool.query(sql.unsafe`
    with moment as materialized (select date_trunc('milliseconds', service_clock()) as at), change as (
      update subscription_changes set effective_at = moment.at from moment where subscription_id = ${subscriptionId}
    )
    update subscriptions set current_period_end = moment.at from moment where id = ${subscriptionId}`);
  await renewPeriod(pool, subscriptionId);
}

const calls = (subscriptionId: string) =>
  pool.anyFirst(sql.type(z.object({ begun: z.boolean() }))`
    select p.call_started_at is not null as begun from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null`);

test('a listed cancellation stops its subscription: nothing is charged or invoiced, and it ends with its period', async () => {
  const { subscriptionId, asked } = await cancelled();
  expect(await listLostRequest(pool, 1, asked)).toBe(true);
  await nextPeriod(subscriptionId);
  expect((await driverOf(pool, subscriptionId, () => APPROVED).view()).status).toBe('cancelled');
  expect(await calls(subscriptionId)).toEqual([]);
});

test('a period that began before the stop is not charged: its claim is never sent', async () => {
  const { subscriptionId, asked } = await cancelled();
  await nextPeriod(subscriptionId);
  expect(await calls(subscriptionId)).toEqual([false]);
  await listLostRequest(pool, 1, asked);
  const { openAttempt } = await driverOf(pool, subscriptionId, () => APPROVED).view();
  expect(await beginChargeStored(pool, openAttempt?.attemptId ?? '', 10)).toBeNull();
});

test('a period whose claim was not sent is charged if an operator lets the subscription continue', async () => {
  const { subscriptionId, asked, reference } = await cancelled();
  await nextPeriod(subscriptionId);
  await listLostRequest(pool, 1, asked);
  const answers: AttemptOutcome[] = [{ kind: 'cancelled' }];
  const driver = driverOf(pool, subscriptionId, () => answers.shift() ?? APPROVED);
  expect(await driver.run()).toMatchObject({ status: 'active' });
  const settled = { reference, operator: 'ada', evidence: 'asked the merchant', continues: true };
  expect(await closeDifference(pool, settled)).toBe(true);
  await driver.run();
  expect((await invoicesOf(pool, subscriptionId)).map(({ amount_due }) => amount_due)).toEqual([0, 0]);
});

test('a stopped subscription renews if an operator lets it continue, and stays stopped otherwise', async () => {
  for (const continues of [true, false]) {
    const { subscriptionId, asked, reference } = await cancelled();
    await listLostRequest(pool, 1, asked);
    const settled = { reference, operator: 'ada', evidence: 'asked the merchant', continues };
    expect(await closeDifference(pool, settled)).toBe(true);
    expect(await listLostRequest(pool, 1, asked)).toBe(false);
    await nextPeriod(subscriptionId);
    expect(await calls(subscriptionId)).toEqual(continues ? [false] : []);
  }
});

test('a settled request that was repeated and lost in a later restore is listed again, and stops again', async () => {
  const { subscriptionId, asked, reference } = await cancelled();
  await listLostRequest(pool, 1, asked);
  await closeDifference(pool, {
    reference,
    operator: 'ada',
    evidence: 'asked the merchant',
    continues: true,
  });
  expect(await listLostRequest(pool, 2, asked)).toBe(false);
  const repeated = { ...asked, at: addDays(asked.at, 1) };
  expect(await listLostRequest(pool, 2, repeated)).toBe(true);
  expect(await listLostRequest(pool, 2, repeated)).toBe(false);
  await nextPeriod(subscriptionId);
  expect(await calls(subscriptionId)).toEqual([]);
});

test.each([
  { of: 'the current period', days: 0, resumes: true },
  // The lost copy had started another period, whose charge is unknown.
  { of: 'a period that the copy has not begun', days: 60, resumes: false },
])(
  'a listed pause requested in $of begins at the end of the current period (resume date kept: $resumes)',
  async ({ days, resumes }) => {
    const { subscriptionId, asked } = await cancelled();
    const pause = { name: 'pause', effect: 'pauses', resumesAt: addDays(asked.at, 90) } as const;
    expect(await listLostRequest(pool, 1, { ...asked, at: addDays(asked.at, days), ...pause })).toBe(true);
    await nextPeriod(subscriptionId);
    const { next, status } = await driverOf(pool, subscriptionId, () => APPROVED).view();
    expect([status, next === null]).toEqual(['paused', !resumes]);
    expect(await calls(subscriptionId)).toEqual([]);
  },
);

test('the resume date of a second lost pause has no effect if the pause was requested in a period that the copy has not started', async () => {
  const { subscriptionId, asked } = await cancelled();
  const pause = { ...asked, at: addDays(asked.at, 60), name: 'pause', effect: 'pauses' } as const;
  await listLostRequest(pool, 1, pause);
  await listLostRequest(pool, 1, { ...pause, operationKey: randomUUID(), resumesAt: addDays(asked.at, 90) });
  await nextPeriod(subscriptionId);
  const { next, status } = await driverOf(pool, subscriptionId, () => APPROVED).view();
  expect([status, next]).toEqual(['paused', null]);
});

test('a listed pause ends at its resume date, unless that is before the end of the period', async () => {
  for (const [days, hasDate] of [
    [60, true],
    [1, false],
  ] as const) {
    const { subscriptionId, asked } = await cancelled();
    const resumesAt = addDays(asked.at, days);
    await listLostRequest(pool, 1, { ...asked, name: 'pause', effect: 'pauses', resumesAt });
    const row = await pool.one(sql.type(z.object({ pauses: z.boolean(), resumes_at: z.string().nullable() }))`
      select pause_at_period_end as pauses, resumes_at from subscriptions where id = ${subscriptionId}`);
    expect([row.pauses, row.resumes_at && new Date(row.resumes_at).toISOString()]).toEqual([
      true,
      hasDate ? resumesAt : null,
    ]);
  }
});

const settled = (reference: string, continues = false) =>
  closeDifference(pool, { reference, operator: 'ada', evidence: 'asked the merchant', continues });

/** Lists a lost pause after `before` has put the subscription into a state that cannot pause. */
async function held(before: (subscriptionId: string) => Promise<unknown>) {
  const { subscriptionId, asked, reference } = await cancelled();
  await before(subscriptionId);
  const resumesAt = addDays(asked.at, 90);
  await listLostRequest(pool, 1, { ...asked, name: 'pause', effect: 'pauses', resumesAt });
  return { subscriptionId, reference };
}

async function fallBehind(subscriptionId: string): Promise<void> {
  await nextPeriod(subscriptionId);
  const driver = driverOf(pool, subscriptionId, () => DECLINED);
  expect(await driver.run()).toMatchObject({ status: 'past_due' });
}

const beginTrial = (subscriptionId: string) =>
  pool.query(sql.unsafe`
    update subscriptions set status = 'trialing', trial_end = current_period_end where id = ${subscriptionId}`);

/** Ends the period and its retry schedule. */
const letTimePass = (subscriptionId: string) =>
  pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock() - interval '1 hour', next_action_at = service_clock(),
      dunning = jsonb_set(dunning, '{retries}', jsonb_build_array(service_clock() - interval '1 day'))
    where id = ${subscriptionId}`);

test.each([
  ['claimed but not sent', nextPeriod, 'active'],
  ['declined', fallBehind, 'past_due'],
  ['due after a trial', beginTrial, 'trialing'],
] as const)(
  'a lost pause holds a subscription whose charge is %s: nothing is charged, invoiced or ended until an operator decides',
  async (_what, before, status) => {
    const { subscriptionId, reference } = await held(before);
    const driver = driverOf(pool, subscriptionId, () => ({ kind: 'cancelled' }));
    const earlier = await invoicesOf(pool, subscriptionId);
    await driver.run();
    await letTimePass(subscriptionId);
    expect(await driver.run()).toMatchObject({ status, next: null, isHeld: true });
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(earlier.length);
    expect(await settled(reference)).toBe(false);
    expect(await settled(reference, true)).toBe(true);
    const charging = driverOf(pool, subscriptionId, () => APPROVED);
    await charging.run();
    expect(await charging.view()).toMatchObject({ status: 'active', pauseAtPeriodEnd: false, isHeld: false });
  },
);

test('a held subscription whose invoice was paid in the meantime pauses without another charge', async () => {
  const { subscriptionId, reference } = await held(async (id) => {
    await nextPeriod(id);
    const { openAttempt } = await driverOf(pool, id, () => APPROVED).view();
    await beginChargeStored(pool, openAttempt?.attemptId ?? '', 10);
  });
  expect(await settled(reference)).toBe(false);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  await driver.run();
  await pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock() - interval '70 days' where id = ${subscriptionId}`);
  const earlier = await invoicesOf(pool, subscriptionId);
  expect(await settled(reference)).toBe(true);
  expect(await driver.run()).toMatchObject({ status: 'paused', isHeld: false, next: null });
  expect(await invoicesOf(pool, subscriptionId)).toEqual(earlier);
  await resumeSubscription(pool, { subscriptionId, operationKey: randomUUID() });
  expect(await driver.run()).toMatchObject({ status: 'active' });
  expect(await invoicesOf(pool, subscriptionId)).toHaveLength(earlier.length + 1);
});

test('a claim of a held subscription is never sent', async () => {
  const { subscriptionId } = await held(nextPeriod);
  const { openAttempt } = await driverOf(pool, subscriptionId, () => APPROVED).view();
  expect(await beginChargeStored(pool, openAttempt?.attemptId ?? '', 10)).toBeNull();
});

test('a held subscription ends if its merchant cancels it, and its request can then be settled', async () => {
  const { subscriptionId, reference } = await held(fallBehind);
  await cancelSubscription(pool, { subscriptionId, operationKey: randomUUID(), atPeriodEnd: true });
  await letTimePass(subscriptionId);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  expect(await driver.run()).toMatchObject({ status: 'cancelled' });
  expect(await settled(reference)).toBe(true);
});

test('a held subscription that its merchant cancelled by mistake continues once an operator and the merchant both allow it', async () => {
  const { subscriptionId, reference } = await held(fallBehind);
  const operation = () => ({ subscriptionId, operationKey: randomUUID() });
  await cancelSubscription(pool, { ...operation(), atPeriodEnd: true });
  expect(await undoCancel(pool, operation())).toMatchObject({ reason: 'subscription_charging_stopped' });
  expect(await settled(reference, true)).toBe(true);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  expect(await driver.run()).toMatchObject({ status: 'past_due', cancelAtPeriodEnd: true });
  expect(await undoCancel(pool, operation())).toMatchObject({ kind: 'done' });
  const continuing = await driver.run();
  expect(continuing).toMatchObject({ status: 'past_due', next: { action: 'charge' } });
  await pool.query(
    sql.unsafe`update subscriptions set charge_at = service_clock() where id = ${subscriptionId}`,
  );
  expect(await driver.run()).toMatchObject({ status: 'active', cancelAtPeriodEnd: false });
});

test('a lost cancellation stops a held subscription, which then continues only after both decisions', async () => {
  const { subscriptionId, reference } = await held(fallBehind);
  const cancellation = {
    ...(await cancelled()).asked,
    subscriptionId,
    operationKey: randomUUID(),
  };
  await listLostRequest(pool, 1, cancellation);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  expect(await driver.view()).toMatchObject({ cancelAtPeriodEnd: true, isHeld: false });
  expect(await settled(reference, true)).toBe(false);
  expect(await settled(`${subscriptionId}:${cancellation.operationKey}`, true)).toBe(true);
  expect(await driver.view()).toMatchObject({ cancelAtPeriodEnd: false, isHeld: true, next: null });
  expect(await settled(reference, true)).toBe(true);
  expect(await driver.run()).toMatchObject({ status: 'active' });
});

test('the lost cancellation of a held subscription must be settled before its lost pause', async () => {
  const { subscriptionId, reference } = await held(fallBehind);
  const cancellation = { ...(await cancelled()).asked, subscriptionId, operationKey: randomUUID() };
  await listLostRequest(pool, 1, cancellation);
  expect(await settled(reference)).toBe(false);
  expect(await settled(`${subscriptionId}:${cancellation.operationKey}`)).toBe(true);
  expect(await settled(reference)).toBe(true);
});

test('a subscription that is about to pause is not held once its lost cancellation is withdrawn', async () => {
  const { subscriptionId } = await held(async () => {});
  const cancellation = { ...(await cancelled()).asked, subscriptionId, operationKey: randomUUID() };
  await listLostRequest(pool, 1, cancellation);
  expect(await settled(`${subscriptionId}:${cancellation.operationKey}`, true)).toBe(true);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  expect(await driver.view()).toMatchObject({
    pauseAtPeriodEnd: true,
    cancelAtPeriodEnd: false,
    isHeld: false,
  });
});

test.each(['pauses', 'stops'] as const)(
  'a request that %s cannot be continued while a charge of the subscription is listed',
  async (effect) => {
    const { subscriptionId, asked, reference } = await cancelled();
    if (effect === 'pauses') await fallBehind(subscriptionId);
    await listLostRequest(pool, 1, { ...asked, effect });
    const charge = `ap_pay_${randomUUID()}`;
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, reference, kind, merchant_id, environment, owner_id, outcome,
        amount, currency, at, state)
      select epoch, rail_account_id, ${charge}, 'charge', merchant_id, environment, owner_id, 'succeeded', 900, 'EUR', at,
        'person' from restore_findings where reference = ${reference}`);
    expect(await settled(reference, true)).toBe(false);
    expect(await settled(charge)).toBe(true);
    expect(await settled(reference, true)).toBe(true);
  },
);

test('periods that passed while a subscription was held are not charged', async () => {
  const { subscriptionId, reference } = await held(beginTrial);
  await pool.query(sql.unsafe`
    update subscriptions set current_period_end = service_clock() - interval '100 days',
      trial_end = service_clock() - interval '100 days', billing_anchor = service_clock() - interval '100 days'
    where id = ${subscriptionId}`);
  const before = await invoicesOf(pool, subscriptionId);
  expect(await settled(reference, true)).toBe(true);
  await driverOf(pool, subscriptionId, () => APPROVED).run();
  expect(await invoicesOf(pool, subscriptionId)).toHaveLength(before.length + 1);
});

test('a pause that the merchant requests again replaces the lost pause, which an operator cannot end', async () => {
  const { subscriptionId, asked, reference } = await cancelled();
  await listLostRequest(pool, 1, { ...asked, name: 'pause', effect: 'pauses' });
  const resumesAt = addDays(asked.at, 100);
  await pauseSubscription(pool, { subscriptionId, operationKey: randomUUID(), resumesAt });
  expect(await settled(reference, true)).toBe(false);
  expect(await driverOf(pool, subscriptionId, () => APPROVED).view()).toMatchObject({
    pauseAtPeriodEnd: true,
  });
  expect(await settled(reference)).toBe(true);
});

test('a resumption that is refused leaves the lost pause to an operator', async () => {
  const { subscriptionId, asked, reference } = await cancelled();
  await listLostRequest(pool, 1, { ...asked, name: 'pause', effect: 'pauses' });
  await nextPeriod(subscriptionId);
  await pool.transaction((tx) => setTarget(tx, subscriptionId, addDays(asked.at, 1)));
  const refused = await resumeSubscription(pool, {
    subscriptionId,
    operationKey: randomUUID(),
    calculatedAt: null,
  });
  expect(refused).toMatchObject({ kind: 'refused', reason: 'advances_running' });
  await pool.query(
    sql.unsafe`update subscription_clocks set target = null where subscription_id = ${subscriptionId}`,
  );
  expect(await settled(reference, true)).toBe(true);
});

test.each(['before', 'after'])(
  'a lost pause with a lost resumption still pauses, and an operator can resume it %s it begins',
  async (when) => {
    const { subscriptionId, asked, reference } = await cancelled();
    const resumesAt = addDays(asked.at, 90);
    await listLostRequest(pool, 1, { ...asked, name: 'pause', effect: 'pauses', resumesAt });
    const resume = { ...asked, operationKey: randomUUID(), name: 'resume', effect: 'pauses' } as const;
    await listLostRequest(pool, 1, resume);
    const driver = driverOf(pool, subscriptionId, () => APPROVED);
    expect(await driver.view()).toMatchObject({ pauseAtPeriodEnd: true });
    if (when === 'after') await nextPeriod(subscriptionId);
    if (when === 'after') expect(await driver.view()).toMatchObject({ status: 'paused', next: null });
    const [listed] = (await explainById(subscriptionId)).incidents;
    expect(listed?.reason).toContain('--continue resumes it');
    expect(await settled(reference, true)).toBe(true);
    expect(await settled(`${subscriptionId}:${resume.operationKey}`)).toBe(true);
    await driver.run();
    expect(await driver.view()).toMatchObject({ status: 'active', pauseAtPeriodEnd: false });
    expect(await calls(subscriptionId)).toEqual(when === 'after' ? [true] : []);
  },
);

test.each([
  { what: 'a lost resumption removes its resume date', effect: 'pauses', days: null },
  { what: 'a lost change of its resume date applies', effect: 'pauses', days: 90 },
] as const)('a pause that the restored copy contains continues: $what', async ({ effect, days }) => {
  for (const status of ['active', 'paused']) {
    const { subscriptionId, asked } = await cancelled();
    const inDays = (n: number) => addDays(asked.at, n);
    await pool.query(sql.unsafe`
      update subscriptions set status = ${status}, pause_at_period_end = ${status === 'active'},
        current_period_end = ${inDays(status === 'active' ? 1 : -1)}, resumes_at = ${inDays(30)}
      where id = ${subscriptionId}`);
    const resumesAt = days === null ? null : inDays(days);
    await listLostRequest(pool, 1, { ...asked, name: 'lost', effect, resumesAt });
    const row = await pool.one(sql.type(z.object({ status: z.string(), resumes_at: z.string().nullable() }))`
      select status, resumes_at from subscriptions where id = ${subscriptionId}`);
    expect([row.status, row.resumes_at && new Date(row.resumes_at).toISOString()]).toEqual([
      status,
      resumesAt,
    ]);
  }
});

test('a lost pause takes effect despite a scheduled change: the next period is not charged', async () => {
  const { subscriptionId, asked } = await cancelled();
  // Withdrawn in the lost interval, before the pause.
  await pool.query(sql.unsafe`
    insert into subscription_changes (subscription_id, type, target_plan_id, target_price_id, amount, effective_at)
    select id, 'plan_change', product_id, price_id, amount, current_period_end from subscriptions where id = ${subscriptionId}`);
  await listLostRequest(pool, 1, { ...asked, name: 'pause', effect: 'pauses' });
  await nextPeriod(subscriptionId);
  const { status } = await driverOf(pool, subscriptionId, () => APPROVED).view();
  expect([status, await calls(subscriptionId)]).toEqual(['paused', []]);
});

test('a listed pause whose period and resume date have passed charges only from that date on', async () => {
  const { subscriptionId, asked } = await cancelled();
  const ago = (days: number) => addDays(asked.at, -days);
  await pool.query(sql.unsafe`
    with paid as (
      update invoices set period_start = ${ago(40)}, period_end = ${ago(10)} where subscription_id = ${subscriptionId}
    )
    update subscriptions set current_period_start = ${ago(40)}, current_period_end = ${ago(10)}, billing_anchor = ${ago(40)}
    where id = ${subscriptionId}`);
  const pause = { name: 'pause', effect: 'pauses', resumesAt: ago(5) } as const;
  await listLostRequest(pool, 1, { ...asked, at: ago(20), ...pause });
  await driverOf(pool, subscriptionId, () => APPROVED).run();
  const [, ...since] = await invoicesOf(pool, subscriptionId);
  expect(since).toMatchObject([{ period_start: ago(5), status: 'created' }]);
});

test.each(['before', 'after'] as const)(
  'a subscription cancelled %s it was stopped ends with its period, even if an operator lets it continue',
  async (when) => {
    const { subscriptionId, asked, reference } = await cancelled();
    const cancel = () =>
      cancelSubscription(pool, { subscriptionId, operationKey: randomUUID(), atPeriodEnd: true });
    if (when === 'before') await cancel();
    await listLostRequest(pool, 1, asked);
    if (when === 'after') await cancel();
    const settled = { reference, operator: 'ada', evidence: 'asked the merchant', continues: true };
    expect(await closeDifference(pool, settled)).toBe(true);
    await nextPeriod(subscriptionId);
    expect((await driverOf(pool, subscriptionId, () => APPROVED).view()).status).toBe('cancelled');
    expect(await calls(subscriptionId)).toEqual([]);
  },
);

test.each(['before', 'after'] as const)(
  'unpaid invoices are collected after a cancellation %s the stop, if the merchant’s setting was on then',
  async (when) => {
    const collects = (is: boolean) =>
      pool.query(sql.unsafe`
        update merchants set collect_after_cancellation = ${is} where id = ${shop.merchantId}`);
    const { subscriptionId, asked, reference } = await cancelled();
    const answers: AttemptOutcome[] = [DECLINED];
    const driver = driverOf(pool, subscriptionId, () => answers.shift() ?? APPROVED);
    await nextPeriod(subscriptionId);
    expect(await driver.run()).toMatchObject({ status: 'past_due' });
    const cancel = () =>
      cancelSubscription(pool, { subscriptionId, operationKey: randomUUID(), atPeriodEnd: true });
    await collects(true);
    if (when === 'before') await cancel();
    await listLostRequest(pool, 1, asked);
    if (when === 'after') await cancel();
    await collects(false);
    // The period ends after its retries have ended.
    await pool.query(sql.unsafe`
      update subscriptions set current_period_start = current_period_start - interval '40 days',
        dunning = jsonb_set(dunning, '{retries}', jsonb_build_array(service_clock() - interval '1 day'))
      where id = ${subscriptionId}`);
    const settled = { reference, operator: 'ada', evidence: 'asked the merchant', continues: true };
    expect(await closeDifference(pool, settled)).toBe(true);
    await pool.query(sql.unsafe`
      update subscriptions set current_period_end = service_clock() - interval '1 hour' where id = ${subscriptionId}`);
    expect(await driver.run()).toMatchObject({ status: 'cancelled' });
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'created',
    ]);
  },
);

test.each([true, false])(
  'after a lost dispute, a subscription continues only if its merchant has chosen that (%s)',
  async (chargesOn) => {
    await pool.query(sql.unsafe`
      update merchants set renew_after_lost_dispute = ${chargesOn} where id = ${shop.merchantId}`);
    const { subscriptionId, asked, reference } = await cancelled();
    await listLostRequest(pool, 1, asked);
    const paymentId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select p.id from payments p join subscriptions s on s.checkout_id = p.checkout_id where s.id = ${subscriptionId}`);
    await insertDispute(pool, shop, paymentId, { status: 'lost', amount: 900 });
    // The setting at the time of the loss decides, not a later one.
    await pool.query(sql.unsafe`
      update merchants set renew_after_lost_dispute = ${!chargesOn} where id = ${shop.merchantId}`);
    const settled = { reference, operator: 'ada', evidence: 'asked the merchant' };
    expect(await closeDifference(pool, { ...settled, continues: true })).toBe(chargesOn);
    await nextPeriod(subscriptionId);
    expect(await calls(subscriptionId)).toEqual(chargesOn ? [false] : []);
    if (!chargesOn) expect(await closeDifference(pool, settled)).toBe(true);
    await pool.query(sql.unsafe`
      update merchants set renew_after_lost_dispute = false where id = ${shop.merchantId}`);
  },
);

test('settling a lost request that stopped nothing does not let the subscription continue', async () => {
  const { subscriptionId, asked, reference } = await cancelled();
  await listLostRequest(pool, 1, { ...asked, name: 'scheduleChange', effect: null });
  const settled = { reference, operator: 'ada', evidence: 'asked the merchant', continues: true };
  expect(await closeDifference(pool, settled)).toBe(false);
  // This holds even if something else has stopped the subscription.
  await listLostRequest(pool, 1, { ...asked, operationKey: randomUUID() });
  expect(await closeDifference(pool, settled)).toBe(false);
  await nextPeriod(subscriptionId);
  expect(await calls(subscriptionId)).toEqual([]);
});

test('a cancellation that is in the copy, or concerns an ended or unknown subscription, changes nothing', async () => {
  const { subscriptionId, asked } = await cancelled();
  await cancelSubscription(pool, { subscriptionId, operationKey: 'known', atPeriodEnd: false });
  expect(await listLostRequest(pool, 1, { ...asked, operationKey: 'known' })).toBe(false);
  expect(await listLostRequest(pool, 1, asked)).toBe(false);
  expect(await listLostRequest(pool, 1, { ...asked, subscriptionId: 'ap_sub_lost' })).toBe(false);
});

describe('requests of a subscription whose first payment is unknown take effect as it begins', () => {
  beforeAll(() => createEndpoint(pool, shop, { eventTypes: ['subscription.trial_ending'] }));

  const CANCEL = { name: 'cancelSubscription', effect: 'stops' } as const;
  const pauseFor = (days: number) =>
    ({
      name: 'pauseSubscription',
      effect: 'pauses',
      resumesAt: addDays(new Date().toISOString(), days),
    }) as const;
  const PAUSE = pauseFor(90);
  const ENDS = { ends: true, pauses: false, resumes: false, stopped: true };
  const BOTH = { ends: true, pauses: true, resumes: true, stopped: true };
  const begun = z.object({
    ends: z.boolean(),
    pauses: z.boolean(),
    resumes: z.boolean(),
    stopped: z.boolean(),
    due: z.boolean(),
  });

  test.each([
    ['a trial is cancelled', 'trial', [CANCEL], ENDS],
    ['a trial is held', 'trial', [PAUSE], { ...ENDS, ends: false }],
    ['a paid period is cancelled', 'recurring', [CANCEL], ENDS],
    ['a paid period is paused', 'recurring', [PAUSE], { ...BOTH, ends: false, stopped: false }],
    [
      'a pause ends at no date within the paid period',
      'recurring',
      [pauseFor(1)],
      { ...BOTH, ends: false, resumes: false, stopped: false },
    ],
    ['both apply', 'recurring', [PAUSE, CANCEL], BOTH],
    ['in either order', 'recurring', [CANCEL, PAUSE], BOTH],
  ] as const)('%s', async (_what, product, requests, expected) => {
    const { id: sessionId } = await insertSession(pool, shop, shop.products[product]);
    const paymentId = await clickAccepted(pool, sessionId);
    await pool.query(
      sql.unsafe`update payments set call_started_at = service_clock() where id = ${paymentId}`,
    );
    const subscriptionId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select id from subscriptions where checkout_id = ${sessionId}`);
    for (const request of requests) {
      const asked = { ...(await cancelled()).asked, ...request, subscriptionId };
      expect(await listLostRequest(pool, 1, asked)).toBe(true);
    }
    const listed = await listedOf(subscriptionId);
    expect(listed).toHaveLength(requests.length);
    const isHeld = !expected.ends && !expected.pauses;
    if (isHeld) expect(await settled(listed[0] ?? '')).toBe(false);
    await answer(pool, sessionId, paymentId, APPROVED);
    const { due, ...state } = await pool.one(sql.type(begun)`
      select cancel_at_period_end as ends, pause_at_period_end as pauses, resumes_at is not null as resumes,
        charging_stopped_at is not null as stopped, next_action_at is not distinct from current_period_end as due
      from subscriptions where id = ${subscriptionId}`);
    expect(state).toEqual(expected);
    // A held subscription waits for nothing. No announcement of a charge is due.
    expect(due).toBe(expected.ends || expected.pauses);
    expect((await eventTypesOf(pool, subscriptionId)).at(-1)).toBe('subscription.updated');
    await nextPeriod(subscriptionId);
    const driver = driverOf(pool, subscriptionId, () => APPROVED);
    await driver.run();
    expect(await calls(subscriptionId)).toEqual([]);
    if (isHeld) expect(await settled(listed[0] ?? '', true)).toBe(true);
    await driver.run();
    expect(await calls(subscriptionId)).toEqual(isHeld ? [true] : []);
  });
});

test('a resumption lost in a second restore clears the resume date of a pause lost in the first', async () => {
  const { id: sessionId } = await insertSession(pool, shop, shop.products.recurring);
  const paymentId = await clickAccepted(pool, sessionId);
  const subscriptionId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions where checkout_id = ${sessionId}`);
  const asked = { ...(await cancelled()).asked, subscriptionId, effect: 'pauses' } as const;
  await listLostRequest(pool, 1, { ...asked, name: 'pause', resumesAt: addDays(asked.at, 90) });
  await listLostRequest(pool, 2, { ...asked, operationKey: randomUUID(), name: 'resume' });
  await answer(pool, sessionId, paymentId, APPROVED);
  await nextPeriod(subscriptionId);
  const { next, status } = await driverOf(pool, subscriptionId, () => APPROVED).view();
  expect([status, next]).toEqual(['paused', null]);
});

test('each lost request is listed once, in a separate row, until it is settled', async () => {
  const { subscriptionId, asked } = await cancelled();
  const change = { ...asked, name: 'scheduleChange', effect: null };
  const later = { ...change, operationKey: randomUUID() };
  expect(await listLostRequest(pool, 1, change)).toBe(true);
  expect(await listLostRequest(pool, 1, later)).toBe(true);
  expect(await listLostRequest(pool, 1, change)).toBe(false);
  const ids = [change, later].map(({ operationKey }) => `${subscriptionId}:${operationKey}`);
  expect((await listedOf(subscriptionId)).sort()).toEqual(ids.sort());
  const settled = { reference: ids[0] ?? '', operator: 'ada', evidence: 'repeated' };
  expect(await closeDifference(pool, settled)).toBe(true);
  expect(await listedOf(subscriptionId)).toEqual([ids[1]]);
  expect(await listLostRequest(pool, 2, change)).toBe(false);
  await cancelSubscription(pool, { subscriptionId, operationKey: 'known', atPeriodEnd: true });
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
