import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { isLockTimeout } from '../../../db/core/lock-timeout.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { findBreakerTarget, pauseRail, resumeRail } from '../../../db/payment/rail-breaker.ts';
import { cancelSubscription } from '../../../db/subscription/cancel-subscription.ts';
import { findSubscription } from '../../../db/subscription/read/find-subscription.ts';
import { recordCharge } from '../../../db/subscription/record-charge.ts';
import { chargeOldest, giveUp, renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { boundary } from '../../../domain/core/calendar.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, DECLINED, UNKNOWN } from '../../support/db/attempts.ts';
import { insertProduct, insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { holdLock } from '../../support/db/hold-lock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  beginAt,
  driverOf,
  eventTypesOf,
  insertSubscription,
  invoicesOf,
  LADDER_DAYS,
} from '../../support/db/subscriptions.ts';
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

/** A monthly subscription whose first period began on 31 January, with a rail that gives these answers. */
async function monthly(
  answers: readonly AttemptOutcome[] = [],
  productId = shop.products.recurring,
  quantity: number | null = null,
) {
  const subscriptionId = await insertSubscription(pool, shop, productId, quantity);
  const start = `${new Date().getUTCFullYear() + 1}-01-31T09:00:00.000Z`;
  await beginAt(pool, subscriptionId, start);
  const queue = [...answers];
  const driver = driverOf(pool, subscriptionId, () => queue.shift() ?? APPROVED);
  const year = Number(start.slice(0, 4));
  return {
    subscriptionId,
    driver,
    at: (day: string) => `${year + Number(day[0])}-${day.slice(2)}T09:00:00.000Z`,
  };
}

const day = (instant: string) => instant.slice(0, 10);
const soft = DECLINED;
const hard: AttemptOutcome = { kind: 'declined', code: 'lost_or_stolen_card', retryable: false };
const bankWantsBuyer: AttemptOutcome = { kind: 'declined', code: 'authentication_required', retryable: true };

const paymentsOf = (subscriptionId: string) =>
  pool.any(sql.type(z.object({ status: z.string(), amount: z.number(), created_at: z.string() }))`
    select p.status, p.amount, p.created_at from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} and p.checkout_id is null order by p.id
  `);

/** Days from the first failed payment to each failed payment. */
async function failedOnDays(subscriptionId: string): Promise<readonly number[]> {
  const failed = (await paymentsOf(subscriptionId)).filter(({ status }) => status === 'failed');
  const first = Date.parse(failed[0]?.created_at ?? '');
  return failed.map(({ created_at }) => Math.round((Date.parse(created_at) - first) / 86_400_000));
}

const dueAtOf = (subscriptionId: string) =>
  pool.oneFirst(sql.type(z.object({ charge_at: z.string() }))`
    select charge_at from subscriptions where id = ${subscriptionId}`);
const setClock = (subscriptionId: string, from: string, days: number) =>
  pool.query(sql.unsafe`
    update subscription_clocks
    set ahead_ms = extract(epoch from ${from}::timestamptz + ${days} * interval '1 day' - service_clock()) * 1000
    where subscription_id = ${subscriptionId}`);

/** The end of the paid time as reported to merchants. */
const toldEndOf = (subscriptionId: string) =>
  pool.oneFirst(sql.type(z.object({ at: z.string() }))`
    select body::jsonb #>> '{subscription,current_period_end}' as at from events
    where type = 'subscription.cancelled' and aggregate_id = ${subscriptionId}`);
async function periodOf(subscriptionId: string): Promise<readonly [string, string]> {
  const { start, end } = await pool.one(sql.type(z.object({ start: z.string(), end: z.string() }))`
    select current_period_start as start, current_period_end as end from subscriptions where id = ${subscriptionId}`);
  return [start, end];
}
async function breakerOf(subscriptionId: string) {
  const { id } = await pool.one(sql.type(z.object({ id: z.string() }))`
    select rail_account_id as id from subscriptions where id = ${subscriptionId}`);
  const target = await findBreakerTarget(pool, id);
  if (!target) throw new Error('no account');
  return target;
}
const cyclesOf = async (subscriptionId: string) => {
  const found = await findSubscription(pool, shop, subscriptionId);
  return [found?.billing_cycles_left, found?.ends_at];
};
const cancelNow = (subscriptionId: string) =>
  cancelSubscription(pool, { subscriptionId, operationKey: randomUUID(), atPeriodEnd: false });

describe('a renewal', () => {
  test("bills each month once, on the anchor day, and dates rows by the subscription's clock", async () => {
    const { subscriptionId, driver, at } = await monthly();
    const view = await driver.advance(at('0-05-01'));
    expect(view).toMatchObject({ status: 'active', openAttempt: null, clockTarget: null });
    const invoices = await invoicesOf(pool, subscriptionId);
    expect(invoices.map(({ period_start, period_end }) => [day(period_start), day(period_end)])).toEqual([
      [day(at('0-01-31')), expect.stringMatching(/-02-2[89]$/)],
      [expect.stringMatching(/-02-2[89]$/), day(at('0-03-31'))],
      [day(at('0-03-31')), day(at('0-04-30'))],
      [day(at('0-04-30')), day(at('0-05-31'))],
    ]);
    expect(invoices.every(({ status, amount_due }) => status === 'created' && amount_due === 0)).toBe(true);
    expect(
      invoices.slice(1).every(({ issued_at, period_start }) => day(issued_at) === day(period_start)),
    ).toBe(true);
    const payments = await paymentsOf(subscriptionId);
    expect(payments.map(({ status, amount, created_at }) => [status, amount, day(created_at)])).toEqual(
      invoices.slice(1).map(({ period_start }) => ['succeeded', 900, day(period_start)]),
    );
  });

  test('that will never happen is not announced: a subscription with one period waits until its end', async () => {
    const other = await insertShop(pool);
    await createEndpoint(pool, other, { eventTypes: ['subscription.renewal_upcoming'] });
    const ofProduct = { merchantId: other.merchantId, price: RECURRING };
    const dueAtEnd = async (billingCycles: number) => {
      const { productId } = await insertProduct(pool, { ...ofProduct, billingCycles });
      return pool.oneFirst(sql.type(z.object({ waits: z.boolean() }))`
        select next_action_at = current_period_end as waits from subscriptions
        where id = ${await insertSubscription(pool, other, productId)}`);
    };
    expect([await dueAtEnd(1), await dueAtEnd(2)]).toEqual([true, false]);
  });

  test('charges the price times the quantity that was bought', async () => {
    const { merchantId } = shop;
    const seats = await insertProduct(pool, { merchantId, quantity: { min: 1, max: 50 }, price: RECURRING });
    const { subscriptionId, driver, at } = await monthly([], seats.productId, 7);
    await driver.advance(at('0-03-01'));
    const lines = await pool.anyFirst(sql.type(z.object({ line: z.unknown() }))`
      select jsonb_build_array(i.amount, p.amount, line -> 'quantity', line -> 'unit_amount', line -> 'amount') as line
      from invoices i join payments p on p.invoice_id = i.id, jsonb_array_elements(i.line_items) line
      where i.subscription_id = ${subscriptionId}`);
    expect(lines).toEqual(Array.from({ length: 2 }, () => [6_300, 6_300, 7, 900, 6_300]));
  });

  test.each([1, 3])('ends with the last of %i billing cycles, which trials do not use up', async (cycles) => {
    const { merchantId } = shop;
    for (const trialPeriodDays of [null, 14]) {
      const price = { ...RECURRING, trialPeriodDays };
      const { productId } = await insertProduct(pool, { merchantId, billingCycles: cycles, price });
      const subscriptionId = await insertSubscription(pool, shop, productId);
      const driver = driverOf(pool, subscriptionId, () => APPROVED);
      const left = trialPeriodDays ? cycles : cycles - 1;
      const { currentPeriodEnd: end } = await driver.view();
      expect(await cyclesOf(subscriptionId)).toEqual([left, left === 0 ? end : null]);
      const months = (count: number) => boundary(end ?? '', 'month', count);
      if (left > 0) await driver.advance(months(left - 1));
      const { currentPeriodEnd: last } = await driver.view();
      expect(await cyclesOf(subscriptionId)).toEqual([0, last]);
      await driver.advance(months(12));
      expect(await driver.view()).toMatchObject({ status: 'cancelled', currentPeriodEnd: last });
      const invoices = await invoicesOf(pool, subscriptionId);
      expect(invoices.map(({ status }) => status)).toEqual(Array(cycles).fill('created'));
      expect(await cyclesOf(subscriptionId)).toEqual([null, null]);
    }
  });

  test.each([
    ['paid', [APPROVED, soft, soft], 'created'],
    ['written off', [APPROVED, ...Array.from({ length: 5 }, () => soft)], 'uncollectible'],
  ])(
    'of the last cycle is retried beyond its end; the subscription ends once the invoice is %s',
    async (_paid, answers, status) => {
      const { merchantId } = shop;
      const price = { ...RECURRING, interval: 'week' as const };
      const { productId } = await insertProduct(pool, { merchantId, billingCycles: 3, price });
      const { subscriptionId, driver, at } = await monthly(answers, productId);
      await driver.advance(at('0-05-01'));
      expect((await driver.view()).status).toBe('cancelled');
      const invoices = await invoicesOf(pool, subscriptionId);
      expect(invoices.map((invoice) => invoice.status)).toEqual(['created', 'created', status]);
      expect((await paymentsOf(subscriptionId)).length).toBe(status === 'created' ? 4 : 6);
    },
  );

  test('sends the events of each period once: invoice, subscription, payment', async () => {
    const { subscriptionId, driver, at } = await monthly();
    await driver.advance(at('0-03-01'));
    expect((await eventTypesOf(pool, subscriptionId)).slice(-3).sort()).toEqual([
      'invoice.created',
      'payment.succeeded',
      'subscription.updated',
    ]);
  });

  test('makes one invoice and one charge for ten concurrent renewals', async () => {
    const { subscriptionId, driver } = await monthly();
    await pool.query(sql.unsafe`
      update subscriptions set current_period_end = subscription_clock(id) - interval '1 second' where id = ${subscriptionId}
    `);
    await Promise.all(Array.from({ length: 10 }, () => renewPeriod(pool, subscriptionId)));
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(2);
    expect(await paymentsOf(subscriptionId)).toHaveLength(1);
    expect(await driver.view()).toMatchObject({ openAttempt: { called: false } });
  });

  test.each([renewPeriod, chargeOldest])('$name waits a second for a locked row', async (claim) => {
    const { subscriptionId } = await monthly();
    const unlock = await holdLock(pool, sql.fragment`subscriptions where id = ${subscriptionId}`);
    try {
      const begun = performance.now();
      const refused = await claim(pool, subscriptionId, LADDER_DAYS).catch((error: unknown) => error);
      // PostgreSQL's own statement time-out is ten seconds.
      expect(performance.now() - begun).toBeLessThan(10_000);
      expect(isLockTimeout(refused)).toBe(true);
    } finally {
      await unlock();
    }
  });

  test('does nothing before its due time', async () => {
    const { subscriptionId } = await monthly();
    const told = await eventTypesOf(pool, subscriptionId);
    await renewPeriod(pool, subscriptionId);
    await chargeOldest(pool, subscriptionId, LADDER_DAYS);
    await giveUp(pool, subscriptionId);
    expect(await eventTypesOf(pool, subscriptionId)).toEqual(told);
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
  });

  test('charges the first invoice when the trial ends', async () => {
    const subscriptionId = await insertSubscription(pool, shop, shop.products.trial);
    const driver = driverOf(pool, subscriptionId, () => APPROVED);
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(0);
    const { currentPeriodEnd } = await driver.view();
    const view = await driver.advance(currentPeriodEnd ?? '');
    expect(view.status).toBe('active');
    expect(await invoicesOf(pool, subscriptionId)).toMatchObject([
      { status: 'created', amount: 900, period_start: currentPeriodEnd },
    ]);
  });

  test('numbers invoices by the year of the subscription’s clock', async () => {
    const { subscriptionId, driver, at } = await monthly();
    await driver.advance(at('1-02-01'));
    const numbers = (await invoicesOf(pool, subscriptionId)).map(({ number }) => number.slice(0, 4));
    expect([...new Set(numbers.slice(1))]).toEqual([at('0-01-01').slice(0, 4), at('1-01-01').slice(0, 4)]);
  });

  test.each([
    ['day', 3, 30],
    ['week', 2, 70],
    ['month', 3, 300],
    ['year', 1, 1_100],
  ] as const)('bills every %s × %i without a gap', async (interval, intervalCount, days) => {
    const price = { ...RECURRING, interval, intervalCount };
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price });
    const { subscriptionId, driver, at } = await monthly([], productId);
    await driver.advance(new Date(Date.parse(at('0-01-31')) + days * 86_400_000).toISOString());
    const invoices = await invoicesOf(pool, subscriptionId);
    expect(invoices.length).toBeGreaterThan(3);
    for (const [n, invoice] of invoices.entries()) {
      if (n > 0) expect(invoice.period_start).toBe(invoices[n - 1]?.period_end);
    }
  });
});

describe('dunning', () => {
  test('retries on days 2, 7, 14 and 21, then cancels and writes off', async () => {
    const { subscriptionId, driver, at } = await monthly(Array(9).fill(soft));
    const view = await driver.advance(at('0-06-01'));
    expect(view.status).toBe('cancelled');
    expect(await failedOnDays(subscriptionId)).toEqual([0, 2, 7, 14, 21]);
    expect(await paymentsOf(subscriptionId)).toHaveLength(5);
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'uncollectible',
    ]);
    const types = await eventTypesOf(pool, subscriptionId);
    expect(types.filter((type) => type === 'invoice.payment_failed')).toHaveLength(5);
    expect(types.filter((type) => type === 'payment.failed')).toHaveLength(5);
    expect(types.filter((type) => type === 'subscription.cancelled')).toHaveLength(1);
    const [paid, unpaid] = await invoicesOf(pool, subscriptionId);
    expect(unpaid?.period_start).toBe(paid?.period_end);
    expect(await toldEndOf(subscriptionId)).toBe(unpaid?.period_start);
    // Declined renewals do not count as card testing (rule 53).
    expect(await pool.exists(sql.unsafe`select from card_declines`)).toBe(false);
  });

  test('reports when the paid time ended: at the period’s end if it was paid, otherwise at its start', async () => {
    const paid = await monthly();
    const { currentPeriodEnd } = await paid.driver.view();
    await cancelNow(paid.subscriptionId);
    expect(await toldEndOf(paid.subscriptionId)).toBe(currentPeriodEnd);

    const unpaid = await monthly(Array(9).fill(soft));
    await unpaid.driver.advance(unpaid.at('0-03-01'));
    const [, open] = await invoicesOf(pool, unpaid.subscriptionId);
    await cancelNow(unpaid.subscriptionId);
    expect(await toldEndOf(unpaid.subscriptionId)).toBe(open?.period_start);
    const [first] = await invoicesOf(pool, unpaid.subscriptionId);
    expect(await periodOf(unpaid.subscriptionId)).toEqual([first?.period_start, first?.period_end]);

    const trial = await insertSubscription(pool, shop, shop.products.trial);
    const ofTrial = await periodOf(trial);
    const driver = driverOf(pool, trial, () => soft);
    await driver.advance(ofTrial[1] ?? '');
    await cancelNow(trial);
    expect(await periodOf(trial)).toEqual(ofTrial);
    expect(await toldEndOf(trial)).toBe(ofTrial[1]);
  });

  test.each(['month', 'week'] as const)(
    'an imported subscription without a payment since the import ends with the %s paid at its processor',
    async (unit) => {
      const price = { ...RECURRING, interval: unit, intervalCount: 1 };
      const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price });
      const { subscriptionId, driver, at } = await monthly(Array(9).fill(soft), productId);
      const paidThere = await periodOf(subscriptionId);
      await pool.query(sql.unsafe`
        update invoices set subscription_id = null where subscription_id = ${subscriptionId}`);
      expect(await driver.advance(at('0-06-01'))).toMatchObject({ status: 'cancelled' });
      expect(await periodOf(subscriptionId)).toEqual(paidThere);
      expect(await toldEndOf(subscriptionId)).toBe(paidThere[1]);
    },
  );

  test('ends with a successful retry, which keeps the anchor', async () => {
    const { subscriptionId, driver, at } = await monthly([soft, soft]);
    const view = await driver.advance(at('0-04-01'));
    expect(view).toMatchObject({ status: 'active', dunning: null });
    expect(
      (await invoicesOf(pool, subscriptionId)).map(({ status, period_start }) => [status, period_start]),
    ).toEqual([
      ['created', at('0-01-31')],
      ['created', expect.any(String)],
      ['created', at('0-03-31')],
    ]);
    expect((await paymentsOf(subscriptionId)).map(({ status }) => status)).toEqual([
      'failed',
      'failed',
      'succeeded',
      'succeeded',
    ]);
  });

  test('does not retry after a hard decline, requests a new method, and ends with the last retry date', async () => {
    const { subscriptionId, driver, at } = await monthly([hard]);
    await driver.advance(at('0-03-10'));
    expect(await driver.view()).toMatchObject({ status: 'past_due', next: { action: 'giveUp' } });
    expect(await eventTypesOf(pool, subscriptionId)).toContain('payment_method.updated_required');
    await driver.advance(at('0-03-31'));
    expect((await driver.view()).status).toBe('cancelled');
    expect(await paymentsOf(subscriptionId)).toHaveLength(1);
  });

  test('requests another payment method if the bank requires authentication, and never cancels before the last retry date', async () => {
    const { subscriptionId, driver, at } = await monthly([bankWantsBuyer]);
    await driver.advance(at('0-03-20'));
    expect((await driver.view()).status).toBe('past_due');
    expect(
      (await eventTypesOf(pool, subscriptionId)).filter((type) => type === 'payment_method.updated_required'),
    ).toHaveLength(1);
  });

  test.each([
    ['day', 1],
    ['day', 5],
    ['week', 1],
    ['day', 21],
    ['week', 3],
  ] as const)(
    'issues one invoice during retries that all fail: every %s × %i',
    async (interval, intervalCount) => {
      const price = { ...RECURRING, interval, intervalCount };
      const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price });
      const { subscriptionId, driver, at } = await monthly(Array(9).fill(soft), productId);
      expect(await driver.advance(at('0-04-30'))).toMatchObject({ status: 'cancelled' });
      const [paid, unpaid, ...others] = await invoicesOf(pool, subscriptionId);
      expect(others).toEqual([]);
      expect(await failedOnDays(subscriptionId)).toEqual([0, 2, 7, 14, 21]);
      expect(await toldEndOf(subscriptionId)).toBe(paid?.period_end);
      const { cancelled_at: endedAt } = await pool.one(sql.type(z.object({ cancelled_at: z.string() }))`
      select cancelled_at from subscriptions where id = ${subscriptionId}`);
      const late = Date.parse(endedAt) - Date.parse(unpaid?.period_start ?? '') - 21 * 86_400_000;
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(60_000);
    },
  );

  test('starts the next period when a late payment arrives, and keeps the billing days', async () => {
    const daily = { ...RECURRING, interval: 'day', intervalCount: 1 } as const;
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: daily });
    const { subscriptionId, driver, at } = await monthly([soft, soft, soft, APPROVED, soft, soft], productId);
    await driver.advance(at('0-02-10'));
    expect(await driver.view()).toMatchObject({ status: 'past_due', dunning: { step: 2 } });
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(2);
    // Paid on 15 February, day 14 of the schedule. That day's charge fails, and the next schedule skips two
    // days.
    await driver.advance(at('0-02-16'));
    expect(await driver.view()).toMatchObject({ status: 'past_due', dunning: { step: 0 } });
    expect(await driver.advance(new Date(Date.parse(at('0-02-24')) + 3_600_000).toISOString())).toMatchObject(
      {
        status: 'active',
        dunning: null,
      },
    );
    const invoices = await invoicesOf(pool, subscriptionId);
    expect(invoices.map(({ period_start, status }) => [period_start, status])).toEqual(
      ['0-01-31', '0-02-01', '0-02-15', '0-02-22', '0-02-23', '0-02-24'].map((of) => [at(of), 'created']),
    );
    expect(await periodOf(subscriptionId)).toEqual([at('0-02-24'), at('0-02-25')]);
  });

  test.each([
    ['approved', APPROVED, '0-02-04'],
    ['ended without a charge, and then approved', { kind: 'cancelled' } as const, '0-02-04'],
  ])(
    'begins no period of a daily plan while a charge is in doubt; the next begins on the day when the charge is %s',
    async (_name, answer, paidOn) => {
      const daily = { ...RECURRING, interval: 'day', intervalCount: 1 } as const;
      const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: daily });
      const { subscriptionId, driver, at } = await monthly([UNKNOWN], productId);
      await setClock(subscriptionId, at('0-02-01'), 0.01);
      await driver.turn();
      const { openAttempt } = await driver.view();
      const answered = (outcome: AttemptOutcome, lookupTimeUp: boolean) =>
        recordCharge(pool, {
          ownerId: subscriptionId,
          attemptId: openAttempt?.attemptId ?? '',
          details: null,
          outcome,
          lookupTimeUp,
          nextLookupSeconds: 60,
          dunningLadderDays: LADDER_DAYS,
        });
      await answered(UNKNOWN, true);
      await setClock(subscriptionId, at(paidOn), 0.5);
      expect(await driver.view()).toMatchObject({ status: 'active', reconciling: true, next: null });
      await answered(answer, false);
      await driver.advance(new Date(Date.parse(at(paidOn)) + 72_000_000).toISOString());
      const starts = (await invoicesOf(pool, subscriptionId)).map(({ period_start, status }) => [
        period_start,
        status,
      ]);
      expect(starts).toEqual(['0-01-31', '0-02-01', paidOn].map((of) => [at(of), 'created']));
      expect(await periodOf(subscriptionId)).toEqual([at(paidOn), at('0-02-05')]);
    },
  );

  test('does not skip a period that is paid before its end, even if the next period begins late', async () => {
    const weekly = { ...RECURRING, interval: 'week', intervalCount: 1 } as const;
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: weekly });
    const { subscriptionId, driver, at } = await monthly([soft], productId);
    await driver.advance(at('0-02-10'));
    expect(await driver.view()).toMatchObject({ status: 'active' });
    await setClock(subscriptionId, at('0-02-28'), 1);
    await driver.run();
    const starts = (await invoicesOf(pool, subscriptionId)).map(({ period_start }) => period_start);
    expect(starts.slice(0, 4)).toEqual(['0-01-31', '0-02-07', '0-02-14', '0-02-21'].map(at));
  });

  test('reports the end of the last paid period when the subscription ends after a skipped period', async () => {
    const daily = { ...RECURRING, interval: 'day', intervalCount: 1 } as const;
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: daily });
    const { subscriptionId, driver, at } = await monthly(
      [soft, soft, APPROVED, ...Array(9).fill(soft)],
      productId,
    );
    expect(await driver.advance(at('0-03-31'))).toMatchObject({ status: 'cancelled' });
    expect(await periodOf(subscriptionId)).toEqual([at('0-02-01'), at('0-02-02')]);
    expect(await toldEndOf(subscriptionId)).toBe(at('0-02-02'));
  });

  test('leaves the invoices of later periods open while past due, and settles the oldest first', async () => {
    const price = { ...RECURRING, interval: 'day', intervalCount: 22 } as const;
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price });
    const answers = [soft, soft, ...Array(20).fill({ kind: 'cancelled' }), soft];
    const { subscriptionId, driver, at } = await monthly(answers, productId);
    await driver.advance(at('0-03-17'));
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'payment_failed',
      'open',
    ]);
    await driver.advance(at('0-04-05'));
    expect(await driver.view()).toMatchObject({ status: 'active', dunning: null });
    const settledInOrder = await pool.any(sql.type(z.object({ period_start: z.string() }))`
      select i.period_start from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${subscriptionId} and p.status = 'succeeded' order by p.id
    `);
    const starts = settledInOrder.map(({ period_start }) => period_start);
    expect(starts).toEqual([...starts].sort());
    expect((await invoicesOf(pool, subscriptionId)).every(({ status }) => status === 'created')).toBe(true);
  });

  test('is postponed by attempts that end without an answer; later retries keep their spacing', async () => {
    const answers = [soft, ...Array(10).fill({ kind: 'cancelled' }), ...Array(4).fill(soft)];
    const { subscriptionId, driver, at } = await monthly(answers);
    expect(await driver.advance(at('0-06-01'))).toMatchObject({ status: 'cancelled' });
    expect(await failedOnDays(subscriptionId)).toEqual([0, 7, 12, 19, 26]);
  });

  test('waits while the rail is down: later retries keep their spacing', async () => {
    const { subscriptionId, driver, at } = await monthly(Array(5).fill(soft));
    await driver.advance(at('0-03-01'));
    const dueAt = await dueAtOf(subscriptionId);
    const target = await breakerOf(subscriptionId);
    // The retry of day 2 is due; the rail is still down on day 9.
    await setClock(subscriptionId, dueAt, 7);
    await pauseRail(pool, target, { actor: 'person:ada', reason: 'incident at the rail' });
    await driver.run();
    await resumeRail(pool, target, { actor: 'person:ada', reason: 'well again' });
    expect(await driver.view()).toMatchObject({ status: 'past_due', next: { action: 'charge' } });
    expect(await driver.advance(at('0-06-01'))).toMatchObject({ status: 'cancelled' });
    expect(await failedOnDays(subscriptionId)).toEqual([0, 9, 14, 21, 28]);
  });

  test('waits while no worker runs: later retries keep their spacing', async () => {
    const { subscriptionId, driver, at } = await monthly(Array(5).fill(soft));
    await driver.advance(at('0-03-01'));
    await setClock(subscriptionId, await dueAtOf(subscriptionId), 7);
    expect(await driver.advance(at('0-06-01'))).toMatchObject({ status: 'cancelled' });
    expect(await failedOnDays(subscriptionId)).toEqual([0, 9, 14, 21, 28]);
  });

  test.each([
    { what: 'is in doubt', isInDoubt: true },
    { what: 'goes unrecorded', isInDoubt: false },
  ])(
    'a charge that $what for eight days before its decline does not use up the retries',
    async ({ isInDoubt }) => {
      const { subscriptionId, driver, at } = await monthly(Array(5).fill(soft));
      await driver.advance(at('0-03-01'));
      const dueAt = await dueAtOf(subscriptionId);
      await setClock(subscriptionId, dueAt, 0);
      await driver.turn();
      const paymentId = (await driver.view()).openAttempt?.attemptId ?? '';
      const hear = (outcome: AttemptOutcome) =>
        recordCharge(pool, {
          ownerId: subscriptionId,
          attemptId: paymentId,
          details: null,
          outcome,
          lookupTimeUp: isInDoubt,
          nextLookupSeconds: 2,
          dunningLadderDays: LADDER_DAYS,
        });
      if (isInDoubt) await hear({ kind: 'unknown', reason: 'timeout' });
      await setClock(subscriptionId, dueAt, 8);
      await hear(soft);
      expect(await driver.advance(at('0-06-01'))).toMatchObject({ status: 'cancelled' });
      expect(await failedOnDays(subscriptionId)).toEqual([0, 2, 15, 22, 29]);
    },
  );

  test('starts a new schedule for the next invoice that fails', async () => {
    const weekly = { ...RECURRING, interval: 'week', intervalCount: 1 } as const;
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: weekly });
    // Day 0 fails, day 2 fails, day 7 is paid: the invoice of day 7 is charged immediately and fails.
    const { driver, at } = await monthly([soft, soft, APPROVED, soft], productId);
    await driver.advance(at('0-02-15'));
    expect(await driver.view()).toMatchObject({ status: 'past_due', dunning: { step: 0, steps: 4 } });
  });
});

describe('a charge that ended without an answer from the bank', () => {
  test('is repeated without dunning', async () => {
    const { subscriptionId, driver, at } = await monthly([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    const view = await driver.advance(at('0-03-10'));
    expect(view).toMatchObject({ status: 'active', dunning: null });
    expect((await paymentsOf(subscriptionId)).map(({ status }) => status)).toEqual([
      'cancelled',
      'cancelled',
      'succeeded',
    ]);
    expect(await eventTypesOf(pool, subscriptionId)).not.toContain('invoice.payment_failed');
  });

  test('alerts the operator once if it recurs, and is repeated at growing intervals', async () => {
    const { subscriptionId, driver, at } = await monthly(Array(12).fill({ kind: 'cancelled' }));
    await driver.advance(at('0-03-10'));
    const types = await eventTypesOf(pool, subscriptionId);
    expect(types.filter((type) => type === 'billing.operational_alert')).toHaveLength(1);
    const payments = await paymentsOf(subscriptionId);
    expect(payments.length).toBeLessThan(20);
    expect(await driver.view()).toMatchObject({ status: 'active', dunning: null });
  });
});

test('a charge due while the rail is down waits without an attempt, and is made afterwards', async () => {
  const { subscriptionId, driver, at } = await monthly();
  await driver.advance(at('0-02-10'));
  const target = await breakerOf(subscriptionId);
  await pool.query(sql.unsafe`
    update subscriptions set current_period_end = subscription_clock(id) where id = ${subscriptionId}`);
  await pauseRail(pool, target, { actor: 'person:ada', reason: 'incident at the rail' });
  await renewPeriod(pool, subscriptionId);
  const waiting = await pool.one(sql.type(z.object({ status: z.string(), wait: z.number() }))`
    select status, extract(epoch from charge_at - subscription_clock(id))::float8 as wait
    from subscriptions where id = ${subscriptionId}`);
  expect(waiting).toMatchObject({ status: 'active', wait: expect.any(Number) });
  expect(waiting.wait).toBeGreaterThan(290);
  const before = await paymentsOf(subscriptionId);
  await pool.query(
    sql.unsafe`update subscriptions set charge_at = subscription_clock(id) where id = ${subscriptionId}`,
  );
  await chargeOldest(pool, subscriptionId, LADDER_DAYS);
  expect(await paymentsOf(subscriptionId)).toEqual(before);
  await resumeRail(pool, target, { actor: 'person:ada', reason: 'well again' });
  await pool.query(
    sql.unsafe`update subscriptions set charge_at = subscription_clock(id) where id = ${subscriptionId}`,
  );
  await chargeOldest(pool, subscriptionId, LADDER_DAYS);
  expect(await paymentsOf(subscriptionId)).toHaveLength(before.length + 1);
});
