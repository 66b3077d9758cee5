/**
 * Cancellations at the end of the period if the merchant continues to collect (`collect_after_cancellation`).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { updateSettings } from '../../../db/merchant/settings.ts';
import { selectMethodChangeFacts } from '../../../db/session/method-change-facts.ts';
import { advanceSubscription } from '../../../db/subscription/advance-subscription.ts';
import { cancelSubscription, undoCancel } from '../../../db/subscription/cancel-subscription.ts';
import { lockSubscription } from '../../../db/subscription/core/subscription-row.ts';
import { payInvoice } from '../../../db/subscription/pay-invoice.ts';
import { previewCancel, previewUndoCancel } from '../../../db/subscription/preview-change.ts';
import { findSubscription } from '../../../db/subscription/read/find-subscription.ts';
import { findSubscriptionDetails } from '../../../db/subscription/read/subscription-details.ts';
import { loadSubscriptionView } from '../../../db/subscription/read/subscription-view.ts';
import { chargeOldest, renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { takeMethodOf } from '../../../db/subscription/replace-method.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, DECLINED } from '../../support/db/attempts.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  beginAt,
  driverOf,
  eventTypesOf,
  insertPlan,
  insertSubscription,
  invoicesOf,
  LADDER_DAYS,
} from '../../support/db/subscriptions.ts';

const START = '2045-02-01T09:00:00.000Z';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let monthly: string;
let weekly: string;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  monthly = await insertPlan(pool, shop.merchantId, null, RECURRING);
  weekly = await insertPlan(pool, shop.merchantId, null, { ...RECURRING, interval: 'week' });
});
afterAll(() => database?.close());
beforeEach(async () => {
  await pool.query(sql.unsafe`update subscription_clocks set target = null`);
  await collect(true);
});

const collect = (collects: boolean) =>
  updateSettings(pool, shop.merchantId, { collect_after_cancellation: collects }, { actor: 'test' });

/** The attempt ended without an answer from the bank. */
const NOT_CHARGED: AttemptOutcome = { kind: 'cancelled' };

/** A subscription whose first renewal was declined a day ago, and the answers to its next charges. */
const pastDue = (plan: string, ...then: readonly AttemptOutcome[]) =>
  unpaid(plan, 'past_due', [DECLINED, ...then]);

/** A subscription whose first renewal was charged a day ago with the first of these answers. */
async function unpaid(plan: string, status: string, queue: AttemptOutcome[]) {
  const subscriptionId = await insertSubscription(pool, shop, plan);
  await beginAt(pool, subscriptionId, START);
  const driver = driverOf(pool, subscriptionId, () => queue.shift() ?? APPROVED);
  const renewedAt = (await driver.view()).currentPeriodEnd ?? '';
  const day = (days: number) => addDays(renewedAt, days);
  expect(await driver.advance(day(1))).toMatchObject({ status });
  const operation = () => ({ subscriptionId, operationKey: randomUUID() });
  return {
    subscriptionId,
    driver,
    day,
    cancel: (atPeriodEnd = true) => cancelSubscription(pool, { ...operation(), atPeriodEnd }),
    undo: () => undoCancel(pool, operation()),
    payNow: (invoiceId: string) => payInvoice(pool, { ...operation(), invoiceId }),
    shown: () => findSubscription(pool, shop, subscriptionId),
    statuses: async () => (await invoicesOf(pool, subscriptionId)).map(({ status }) => status),
  };
}

/** Replaces the stored card with the one of the first payment. */
async function replaceCard(subscriptionId: string): Promise<void> {
  const paymentId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from payments p join subscriptions s on s.checkout_id = p.checkout_id where s.id = ${subscriptionId}`);
  await inTransaction(pool, async (tx) =>
    takeMethodOf(tx, await lockSubscription(tx, subscriptionId), paymentId),
  );
}

/** Attempts to charge the renewal's invoice. */
const attemptsOf = (subscriptionId: string) =>
  pool.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null`);

test.each([true, false])(
  'an immediate cancellation ends the subscription and writes off its unpaid invoice, whether or not the merchant collects after cancellations (%s)',
  async (collects) => {
    await collect(collects);
    const { subscriptionId, cancel, driver, shown, statuses } = await pastDue(monthly);
    const { current_period_end: end } = (await shown()) ?? {};
    const preview = await previewCancel(pool, { subscriptionId, atPeriodEnd: false });
    expect(preview).toMatchObject({ kind: 'calculated', nextRenewal: null });
    expect(preview).not.toMatchObject({ effectiveAt: end });
    await cancel(false);
    expect(await driver.view()).toMatchObject({ status: 'cancelled' });
    expect(await statuses()).toEqual(['created', 'uncollectible']);
  },
);

test.each([
  ['weekly', () => weekly, 8],
  ['monthly', () => monthly, 32],
] as const)(
  'by default, a cancelled %s subscription is not charged again, ends with its period, and its unpaid invoice is written off',
  async (_interval, plan, days) => {
    await collect(false);
    const { subscriptionId, cancel, driver, day, shown, statuses } = await pastDue(plan(), APPROVED);
    await cancel();
    const end = (await shown())?.ends_at ?? '';
    const { dunning, next_charge_at: next } =
      (await findSubscriptionDetails(pool, shop, subscriptionId)) ?? {};
    expect([dunning, next]).toMatchObject([{ waits_for: 'nothing', retry_at: null, ends_at: end }, null]);
    expect(await driver.advance(new Date(Date.parse(end) - 3_600_000).toISOString())).toMatchObject({
      status: 'past_due',
    });
    expect(await driver.advance(day(days))).toMatchObject({ status: 'cancelled' });
    expect(await statuses()).toEqual(['created', 'uncollectible']);
    expect(await attemptsOf(subscriptionId)).toBe(1);
  },
);

test('a cancellation that is undone resumes the retries', async () => {
  await collect(false);
  const { subscriptionId, cancel, undo, driver, day, statuses } = await pastDue(monthly, APPROVED);
  await cancel();
  await driver.advance(day(8));
  const preview = await previewUndoCancel(pool, subscriptionId);
  await undo();
  // As its preview says, the undo charges nothing: the retry that was due on the seventh day is skipped.
  expect(preview).toMatchObject({ total: 0 });
  expect(await driver.advance(day(13))).toMatchObject({ status: 'past_due' });
  expect(await driver.advance(day(15))).toMatchObject({ status: 'active' });
  expect(await statuses()).toEqual(['created', 'created']);
});

const HARD = { ...DECLINED, retryable: false } as const;

test.each([
  ['begins it again', DECLINED, 'active'],
  ['waits for another method', HARD, 'past_due'],
] as const)('a cancellation undone after the retries’ schedule %s', async (_what, declined, status) => {
  await collect(false);
  const { cancel, undo, driver, day, shown } = await unpaid(monthly, 'past_due', [declined, APPROVED]);
  await cancel();
  await driver.advance(day(25));
  await undo();
  expect(await driver.advance(day(28))).toMatchObject({ status });
  expect(await shown()).toMatchObject({ cancel_at_period_end: false });
});

test.each([
  ['the card', DECLINED, 0],
  ['the card that replaced one declined for good', HARD, 1],
] as const)(
  'the undo of a cancellation asks for another method if %s was declined for good in between',
  async (_which, first, before) => {
    await collect(false);
    const { subscriptionId, cancel, undo, payNow, driver } = await unpaid(monthly, 'past_due', [first, HARD]);
    const asked = async () =>
      (await eventTypesOf(pool, subscriptionId)).filter((type) => type === 'payment_method.updated_required');
    await cancel();
    if (first === HARD) await replaceCard(subscriptionId);
    await payNow((await invoicesOf(pool, subscriptionId)).at(-1)?.id ?? '');
    await driver.run();
    expect(await asked()).toHaveLength(before);
    await undo();
    expect(await asked()).toHaveLength(before + 1);
    await cancel();
    await undo();
    expect(await asked()).toHaveLength(before + 1);
  },
);

test.each([
  ['is charged although its retry was later than the end', false, [NOT_CHARGED], 900],
  ['is charged by a subscription that collects', true, [DECLINED], 900],
  ['is not charged once retries have stopped', false, [DECLINED], 0],
])('on the page of a method change, the new card %s', async (_what, collects, queue, due) => {
  await collect(collects);
  const status = queue[0] === DECLINED ? 'past_due' : 'active';
  const { subscriptionId, cancel } = await unpaid(monthly, status, [
    ...queue,
    ...Array(50).fill(NOT_CHARGED),
  ]);
  await cancel();
  await pool.query(sql.unsafe`
    update subscriptions set charge_at = current_period_end + interval '60 days' where id = ${subscriptionId}`);
  const facts = await pool.oneFirst(sql.type(z.object({ facts: z.object({ due: z.number() }) }))`
    select ${selectMethodChangeFacts} as facts
    from (select ${subscriptionId} as subscription_id, 'none' as id, null::text as invoice_id) c`);
  expect(facts.due).toBe(due);
});

test('once cancelled, only the invoice that the merchant asks for is charged', async () => {
  await collect(false);
  const queue: AttemptOutcome[] = [DECLINED, ...Array(1_000).fill(NOT_CHARGED)];
  const { subscriptionId, cancel, payNow, driver, day, statuses } = await unpaid(monthly, 'past_due', queue);
  // An outage lasts until the next invoice is due.
  await driver.advance(day(40));
  const unpaidInvoices = (await invoicesOf(pool, subscriptionId)).filter(
    ({ status }) => status !== 'created',
  );
  expect(unpaidInvoices).toHaveLength(2);
  await cancel();
  queue.length = 0;
  expect(await payNow(unpaidInvoices[0]?.id ?? '')).toMatchObject({ kind: 'done' });
  expect(await driver.advance(day(70))).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'created', 'uncollectible']);
});

test('a cancelled subscription’s charge is retried; the subscription then serves the paid period and never renews', async () => {
  const { subscriptionId, cancel, driver, day, shown, statuses } = await pastDue(monthly);
  const preview = await previewCancel(pool, { subscriptionId, atPeriodEnd: true });
  expect(await cancel()).toMatchObject({ kind: 'done' });
  const { current_period_end: end } = (await shown()) ?? {};
  expect(preview).toMatchObject({ effectiveAt: end, nextRenewal: null });
  expect(await shown()).toMatchObject({ status: 'past_due', cancel_at_period_end: true, ends_at: end });
  expect(await driver.advance(day(3))).toMatchObject({ status: 'active' });
  expect(await statuses()).toEqual(['created', 'created']);
  expect(await driver.advance(day(90))).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'created']);
  expect((await eventTypesOf(pool, subscriptionId)).slice(-3)).toEqual([
    'payment.succeeded',
    'subscription.updated',
    'subscription.cancelled',
  ]);
});

test('retries continue beyond the end of the period until their schedule ends', async () => {
  const { cancel, driver, day, statuses } = await pastDue(weekly, ...Array(4).fill(DECLINED));
  await cancel();
  expect(await driver.advance(day(20))).toMatchObject({ status: 'past_due', dunning: { step: 3 } });
  expect(await driver.advance(day(22))).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'uncollectible']);
});

test('a paused rail account does not postpone the retries or the end of the subscription indefinitely', async () => {
  const id = await insertSubscription(pool, shop, weekly);
  const ended = (daysAgo: number) =>
    pool.query(sql.unsafe`
      update subscriptions set charge_at = case when charge_at is not null then service_clock() end,
        current_period_end = date_trunc('milliseconds', service_clock()) - ${daysAgo} * interval '1 day'
      where id = ${id}`);
  await pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, reason, paused_by)
    select 'account:' || id, rail, environment, id, 'paused', 'outage', 'test' from rail_accounts
    where id = ${shop.railAccountId}`);
  await ended(0);
  await renewPeriod(pool, id);
  await cancelSubscription(pool, { subscriptionId: id, operationKey: randomUUID(), atPeriodEnd: true });
  await ended(1);
  await chargeOldest(pool, id, LADDER_DAYS);
  // A month passes.
  await pool.query(sql.unsafe`
    update subscriptions set dunning = jsonb_set(dunning, '{retries}', jsonb_build_array(service_clock() - interval '9 days'))
    where id = ${id}`);
  await ended(30);
  const { next } = await loadSubscriptionView(pool, id);
  await pool.query(sql.unsafe`delete from rail_breakers where rail_account_id = ${shop.railAccountId}`);
  expect(next).toMatchObject({ action: 'giveUp' });
});

test('an outage before the end of the period postpones the retries; a later outage does not', async () => {
  const { cancel, driver, day, statuses } = await pastDue(weekly, ...Array(200).fill(NOT_CHARGED));
  await cancel();
  // From day 2 until the period ends on day 7.
  expect(await driver.advance(day(25))).toMatchObject({ status: 'past_due' });
  expect(await driver.advance(day(28))).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'uncollectible']);
});

test('a retry made days late does not postpone later retries', async () => {
  const { subscriptionId, cancel, driver, day } = await pastDue(weekly, ...Array(4).fill(DECLINED));
  await cancel();
  const before = await driver.advance(day(9));
  await pool.query(sql.unsafe`update subscriptions set charge_at = ${day(7)} where id = ${subscriptionId}`);
  await driver.run();
  expect(await driver.view()).toMatchObject({ status: 'past_due', dunning: before.dunning });
});

test('after an outage since the renewal, the retry schedule begins after the period, and the subscription ends with it', async () => {
  const { subscriptionId, cancel, payNow, driver, day, statuses } = await unpaid(weekly, 'active', [
    ...Array(200).fill(NOT_CHARGED),
  ]);
  await cancel();
  expect(await driver.advance(day(9))).toMatchObject({ status: 'active', dunning: { step: 0 } });
  expect(await payNow((await invoicesOf(pool, subscriptionId)).at(-1)?.id ?? '')).toMatchObject({
    kind: 'done',
  });
  expect(await driver.advance(day(27))).toMatchObject({ status: 'active' });
  expect(await driver.advance(day(30))).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'uncollectible']);
});

test('a card that replaces the charged card while the last retry is in progress is charged', async () => {
  const { subscriptionId, cancel, driver, day, statuses } = await pastDue(weekly, ...Array(4).fill(DECLINED));
  await cancel();
  await driver.advance(day(20));
  await advanceSubscription(pool, { subscriptionId, operationKey: randomUUID(), to: day(22) });
  while (!(await driver.view()).openAttempt) await driver.turn();
  await pool.query(sql.unsafe`
    update subscriptions set credential_secret_ref = 'mandate-2' where id = ${subscriptionId}`);
  await driver.turn();
  expect(await driver.view()).toMatchObject({ status: 'past_due', next: { action: 'charge' } });
  expect(await driver.run()).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'created']);
});

test('a card that replaces the declined card after the last retry, but before the end, is charged', async () => {
  const hard: AttemptOutcome = { kind: 'declined', code: 'lost_or_stolen_card', retryable: false };
  const { subscriptionId, cancel, driver, day, statuses } = await pastDue(weekly, hard);
  await cancel();
  await driver.advance(day(9));
  await pool.query(sql.unsafe`
    update subscriptions set dunning = jsonb_set(dunning, '{retries}', jsonb_build_array(${day(8)}::text))
    where id = ${subscriptionId}`);
  await replaceCard(subscriptionId);
  expect(await driver.run()).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'created']);
});

test('a charge that succeeds after an outage since the renewal is kept, and the subscription ends', async () => {
  const { cancel, driver, day, statuses } = await unpaid(weekly, 'active', Array(20).fill(NOT_CHARGED));
  await cancel();
  expect(await driver.advance(day(25))).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'created']);
});

test('a cancellation cannot be undone after the period, and takes effect when the invoice is paid on request', async () => {
  const { subscriptionId, cancel, undo, payNow, driver, day, statuses } = await pastDue(
    weekly,
    DECLINED,
    DECLINED,
  );
  await cancel();
  await driver.advance(day(9));
  expect(await undo()).toEqual({ kind: 'refused', reason: 'subscription_cancel_scheduled' });
  const unpaid = (await invoicesOf(pool, subscriptionId)).at(-1);
  expect(await payNow(unpaid?.id ?? '')).toMatchObject({ kind: 'done' });
  expect(await driver.run()).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'created']);
});

test('a cancellation that is undone in time has no effect', async () => {
  const { cancel, undo, driver, day, statuses } = await pastDue(monthly);
  await cancel();
  expect(await undo()).toMatchObject({ kind: 'done' });
  expect(await driver.advance(day(32))).toMatchObject({ status: 'active' });
  expect(await statuses()).toEqual(['created', 'created', 'created']);
});

test('an immediate cancellation ends the collection', async () => {
  const { cancel, driver, day, statuses } = await pastDue(weekly, DECLINED, DECLINED);
  await cancel();
  await driver.advance(day(9));
  await cancel(false);
  expect(await driver.view()).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'uncollectible']);
});

test('no payment is collected after a lost dispute', async () => {
  const { subscriptionId, cancel, driver, day, statuses } = await pastDue(weekly, DECLINED, DECLINED);
  await cancel();
  const paymentId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.status = 'succeeded'`);
  await insertDispute(pool, shop, paymentId, { status: 'lost', amount: 900 });
  expect(await driver.advance(day(8))).toMatchObject({ status: 'cancelled' });
  expect(await statuses()).toEqual(['created', 'uncollectible']);
});
