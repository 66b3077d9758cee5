/** Coupons of subscriptions: the deduction in each charge, invoice, preview and announcement, and its duration. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { stopCoupon } from '../../../db/catalogue/coupons.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { previewChange } from '../../../db/subscription/preview-change.ts';
import { findSubscription } from '../../../db/subscription/read/find-subscription.ts';
import { findSubscriptionDetails } from '../../../db/subscription/read/subscription-details.ts';
import { scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays, boundary } from '../../../domain/core/calendar.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, DECLINED } from '../../support/db/attempts.ts';
import { insertCoupon } from '../../support/db/coupons.ts';
import { insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  beginAt,
  driverOf,
  eventTypesOf,
  insertOffering,
  insertPlan,
  insertSubscription,
} from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

/** A period of 28 days, which begins in the future, so that its clock is moved. */
const START = '2045-02-01T09:00:00.000Z';
const END = '2045-03-01T09:00:00.000Z';
const afterMonths = (count: number) => addDays(boundary(START, 'month', count), 1);

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
/** 9.00, 19.00 and 29.00 a month, 90.00 a year. */
let basic: string;
let plus: string;
let pro: string;
let yearly: string;
/** 9.00 a month per unit, for up to 50 units. */
let seats: string;
/** 9.00 a month after fourteen days. */
let trial: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  const offering = await insertOffering(pool, shop.merchantId);
  const plan = (values: object) => insertPlan(pool, shop.merchantId, offering, { ...RECURRING, ...values });
  [basic, plus, pro] = [await plan({}), await plan({ amount: 1_900 }), await plan({ amount: 2_900 })];
  [yearly, trial] = [await plan({ amount: 9_000, interval: 'year' }), await plan({ trialPeriodDays: 14 })];
  seats = await insertPlan(pool, shop.merchantId, offering, RECURRING, { min: 1, max: 50 });
});
afterAll(() => database?.close());
beforeEach(() => pool.query(sql.unsafe`update subscription_clocks set target = null`));

async function subscribed(plan: string, fields: object, answers: readonly AttemptOutcome[] = []) {
  const coupon = await insertCoupon(pool, shop, fields);
  const subscriptionId = await insertSubscription(pool, shop, plan, null, { couponCode: coupon.code });
  if (plan !== trial) await beginAt(pool, subscriptionId, START);
  const queue = [...answers];
  const driver = driverOf(pool, subscriptionId, () => queue.shift() ?? APPROVED);
  const toPlan = { type: 'plan_change', targetOfferingId: null, calculatedAt: null } as const;
  return {
    coupon,
    subscriptionId,
    driver,
    shown: () => findSubscription(pool, shop, subscriptionId),
    nextRenewal: async () => (await findSubscriptionDetails(pool, shop, subscriptionId))?.next_renewal,
    schedule: (targetPlanId: string) =>
      scheduleChange(pool, { ...toPlan, subscriptionId, operationKey: randomUUID(), targetPlanId }),
    preview: (targetPlanId: string, effective: 'now' | 'period_end') =>
      previewChange(pool, { ...toPlan, subscriptionId, targetPlanId, effective }),
    changeNow: (targetPlanId: string, calculatedAt: string) =>
      changePlanNow(pool, {
        ...toPlan,
        subscriptionId,
        operationKey: randomUUID(),
        targetPlanId,
        calculatedAt,
      }),
  };
}

const invoiceRow = z.object({
  status: z.string(),
  amount: z.number(),
  amount_due: z.number(),
  lines: z.array(z.object({ description: z.string(), amount: z.number() })),
  charges: z.array(z.object({ amount: z.number(), status: z.string() })),
  order_status: z.string(),
});
const invoicesOf = (subscriptionId: string) =>
  pool.any(sql.type(invoiceRow)`
    select i.status, i.amount, i.amount_due, i.line_items as lines, o.status as order_status,
      coalesce((select jsonb_agg(jsonb_build_object('amount', p.amount, 'status', p.status) order by p.id)
        from payments p where p.invoice_id = i.id and p.amount > 0), '[]') as charges
    from invoices i join orders o on o.id = i.order_id
    where i.subscription_id = ${subscriptionId} order by i.period_start`);

/** The amounts of the invoices; each is charged once, unless it is free. */
async function chargedFor(subscriptionId: string): Promise<readonly number[]> {
  const invoices = await invoicesOf(subscriptionId);
  for (const { status, amount, amount_due, lines, charges, order_status } of invoices) {
    expect({ status, amount_due, order_status }).toEqual({
      status: 'created',
      amount_due: 0,
      order_status: 'completed',
    });
    expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(amount);
    expect(charges).toEqual(amount > 0 ? [{ amount, status: 'succeeded' }] : []);
  }
  return invoices.map(({ amount }) => amount);
}

describe('a coupon of a subscription', () => {
  test('of unlimited duration reduces every charge, on a separate line with its code', async () => {
    const { subscriptionId, driver, coupon, shown } = await subscribed(basic, { duration: 'forever' });
    await driver.advance(afterMonths(3));
    expect(await chargedFor(subscriptionId)).toEqual([720, 720, 720, 720]);
    for (const { lines } of await invoicesOf(subscriptionId))
      expect(lines[1]).toMatchObject({ description: coupon.code, amount: -180 });
    expect(await shown()).toMatchObject({
      amount: 900,
      coupon: { id: coupon.id, code: coupon.code, percent: 20, amount: null, periods_left: null },
    });
  });

  test('is included in the next renewal on the subscription’s page, even with a change scheduled in a trial', async () => {
    const one = await subscribed(trial, { duration: 'forever' });
    const end = (await one.shown())?.current_period_end;
    expect(await one.nextRenewal()).toEqual({ at: end, total: 720 });
    await one.schedule(plus);
    expect(await one.nextRenewal()).toMatchObject({ at: end, total: 1_520 });
    await one.driver.advance(addDays(String(end), 1));
    expect(await chargedFor(one.subscriptionId)).toEqual([1_520]);
  });

  test('for one charge does not reduce the next charge', async () => {
    const { subscriptionId, driver, shown } = await subscribed(basic, {});
    expect(await shown()).toMatchObject({ coupon: { periods_left: 0 } });
    await driver.advance(afterMonths(2));
    expect(await chargedFor(subscriptionId)).toEqual([720, 900, 900]);
    expect(await shown()).toMatchObject({ coupon: null });
  });

  test('for three charges reduces all three, even if it is stopped after the first', async () => {
    const { subscriptionId, driver, coupon, shown } = await subscribed(basic, {
      duration: 'repeating',
      periods: 3,
      amount: 100,
    });
    await stopCoupon(pool, shop.merchantId, coupon.id, { actor: 'test' });
    await driver.advance(afterMonths(1));
    expect(await shown()).toMatchObject({ coupon: { amount: 100, periods_left: 1 } });
    await driver.advance(afterMonths(4));
    expect(await chargedFor(subscriptionId)).toEqual([800, 800, 800, 900, 900]);
  });

  test('counts its periods from the first charged period after a trial', async () => {
    const { subscriptionId, driver, shown } = await subscribed(trial, { duration: 'repeating', periods: 2 });
    const before = await shown();
    expect(before).toMatchObject({ status: 'trialing', coupon: { periods_left: 2 } });
    const end = before?.current_period_end ?? '';
    await driver.advance(addDays(boundary(end, 'month', 2), 1));
    expect(await chargedFor(subscriptionId)).toEqual([720, 720, 900]);
  });

  test('loses no discounted period to a declined charge: the retry charges the same invoice', async () => {
    const { subscriptionId, driver } = await subscribed(basic, { duration: 'repeating', periods: 2 }, [
      DECLINED,
    ]);
    await driver.advance(afterMonths(2));
    const invoices = await invoicesOf(subscriptionId);
    expect(invoices.map(({ charges }) => charges.map(({ amount }) => amount))).toEqual([
      [720],
      [720, 720],
      [900],
    ]);
  });
});

describe('a period that a coupon makes free', () => {
  const free = { percent: 100, duration: 'repeating', periods: 2 };

  test('has an invoice of zero that shows the discount, and no charge', async () => {
    const { subscriptionId, driver, shown } = await subscribed(basic, free);
    expect(await shown()).toMatchObject({ status: 'active', payment_method: { last4: '4242' } });
    const [first] = await invoicesOf(subscriptionId);
    expect(first).toMatchObject({ amount: 0, lines: [{ amount: 900 }, { amount: -900 }] });
    expect(await eventTypesOf(pool, subscriptionId)).toEqual(
      expect.arrayContaining(['subscription.created', 'invoice.created']),
    );
    await driver.advance(afterMonths(1));
    expect(await driver.view()).toMatchObject({ status: 'active', openAttempt: null });
    expect(await eventTypesOf(pool, subscriptionId)).not.toContain('payment.succeeded');
    await driver.advance(afterMonths(2));
    expect(await chargedFor(subscriptionId)).toEqual([0, 0, 900]);
    expect(await eventTypesOf(pool, subscriptionId)).toContain('payment.succeeded');
  });

  test('does not count as a billing cycle', async () => {
    await pool.query(sql.unsafe`update products set billing_cycles = 2 where id = ${basic}`);
    const { subscriptionId, driver, shown } = await subscribed(basic, free);
    await pool.query(sql.unsafe`update products set billing_cycles = null where id = ${basic}`);
    expect(await shown()).toMatchObject({ billing_cycles_left: 2 });
    await driver.advance(afterMonths(5));
    expect(await chargedFor(subscriptionId)).toEqual([0, 0, 900, 900]);
    expect(await shown()).toMatchObject({ status: 'cancelled' });
  });

  test.each([
    // Two of the three periods that began in the outage are free.
    [1, 'subscription_cancel_scheduled'],
    [2, null],
  ] as const)(
    'is not counted when a change is scheduled late, with %i billing cycles left',
    async (left, refusal) => {
      const fields = { percent: 100, duration: 'repeating', periods: 3 };
      const { subscriptionId, driver, schedule, shown } = await subscribed(basic, fields);
      const started = new Date(Date.now() - 100 * 86_400_000).toISOString();
      await pool.query(sql.unsafe`delete from subscription_clocks where subscription_id = ${subscriptionId}`);
      await pool.query(sql.unsafe`
      update subscriptions set billing_cycles_left = ${left}, billing_anchor = ${started},
        current_period_start = ${started}, current_period_end = ${boundary(started, 'month', 1)}
      where id = ${subscriptionId}`);
      expect(await schedule(plus)).toMatchObject(
        refusal ? { kind: 'refused', reason: refusal } : { kind: 'done' },
      );
      await driver.run();
      expect(await shown()).toMatchObject({ status: 'active', billing_cycles_left: left - 1 });
    },
  );

  test('gives no credit when the plan changes during it', async () => {
    const { subscriptionId, driver, preview, changeNow } = await subscribed(basic, { percent: 100 });
    await driver.advance(addDays(START, 14));
    const previewed = await preview(plus, 'now');
    if (previewed.kind === 'refused') throw new Error(previewed.reason);
    expect(previewed.lines.map(({ key }) => key)).toEqual(['rest']);
    expect(await changeNow(plus, previewed.calculatedAt)).toMatchObject({ kind: 'done' });
    await driver.run();
    expect(await chargedFor(subscriptionId)).toEqual([0, previewed.total]);
  });
});

describe('a change', () => {
  test('of plan uses up a coupon for one charge, even if the change takes effect at the end of a trial', async () => {
    const { subscriptionId, driver, schedule, preview, shown } = await subscribed(trial, {});
    const end = (await shown())?.current_period_end ?? '';
    expect(await preview(plus, 'period_end')).toMatchObject({ nextRenewal: { at: end, total: 1_900 } });
    await schedule(plus);
    await driver.advance(addDays(end, 1));
    expect(await chargedFor(subscriptionId)).toEqual([1_900]);
    expect(await shown()).toMatchObject({ coupon: null });
  });

  test('of plan keeps a coupon for several charges if it is valid for the target plan', async () => {
    const fields = { duration: 'repeating', periods: 3, product_ids: [basic, plus] };
    const kept = await subscribed(basic, fields);
    expect(await kept.preview(plus, 'period_end')).toMatchObject({ nextRenewal: { at: END, total: 1_520 } });
    await kept.schedule(plus);
    await kept.driver.advance(afterMonths(3));
    expect(await chargedFor(kept.subscriptionId)).toEqual([720, 1_520, 1_520, 1_900]);
    const lost = await subscribed(basic, fields);
    expect(await lost.preview(pro, 'period_end')).toMatchObject({ nextRenewal: { at: END, total: 2_900 } });
    await lost.schedule(pro);
    await lost.driver.advance(afterMonths(1));
    expect(await chargedFor(lost.subscriptionId)).toEqual([720, 2_900]);
  });

  test.each([
    ['of the same interval, whose remainder belongs to a period already counted', () => plus, [1_520, 1_900]],
    ['of another interval, which begins a new period', () => yearly, [9_000]],
  ])(
    'with immediate effect charges as previewed, including the coupon: a change %s',
    async (_name, target, later) => {
      const fields = { duration: 'repeating', periods: 2 };
      const { subscriptionId, driver, preview, changeNow, shown } = await subscribed(basic, fields);
      await driver.advance(addDays(START, 14));
      const previewed = await preview(target(), 'now');
      if (previewed.kind === 'refused') throw new Error(previewed.reason);
      const charged = previewed.lines.map(({ key, amount }) => [key, amount] as const);
      expect(charged.map(([key]) => key)).toEqual([
        'unused',
        target() === plus ? 'rest' : 'period',
        'discount',
      ]);
      // Half of the amount paid, not of the price.
      expect(Math.abs((charged[0]?.[1] ?? 0) + 360)).toBeLessThanOrEqual(1);
      expect(-(charged[2]?.[1] ?? 0)).toBe(Math.round((charged[1]?.[1] ?? 0) * 0.2));
      expect(previewed.nextRenewal?.total).toBe(later[0]);
      expect(await changeNow(target(), previewed.calculatedAt)).toMatchObject({ kind: 'done' });
      await driver.run();
      expect(await chargedFor(subscriptionId)).toEqual([720, previewed.total]);
      expect(await shown()).toMatchObject({ coupon: { periods_left: later.length - 1 } });
      const end = (await shown())?.current_period_end ?? '';
      await driver.advance(addDays(end, 35 * (later.length - 1) + 1));
      expect((await chargedFor(subscriptionId)).slice(2)).toEqual(later);
    },
  );

  test('of quantity keeps a coupon for one charge in its period', async () => {
    const { subscriptionId, driver, shown } = await subscribed(seats, { percent: 50 });
    await driver.advance(addDays(START, 14));
    const operation = { subscriptionId, operationKey: randomUUID(), type: 'quantity_change' } as const;
    await changePlanNow(pool, { ...operation, quantity: 3, calculatedAt: null });
    await driver.run();
    const [, added] = await chargedFor(subscriptionId);
    // Two more units at half their price, for half of the period.
    expect(Math.abs((added ?? 0) - 450)).toBeLessThanOrEqual(1);
    expect(await shown()).toMatchObject({ quantity: 3, coupon: { periods_left: 0 } });
    await driver.advance(afterMonths(1));
    expect((await chargedFor(subscriptionId)).at(-1)).toBe(2_700);
  });
});

test('a renewal’s announcement states the total that is then charged', async () => {
  await createEndpoint(pool, shop, { eventTypes: ['subscription.renewal_upcoming'] });
  const { subscriptionId, driver } = await subscribed(basic, { duration: 'repeating', periods: 2 });
  await pool.query(sql.unsafe`update subscriptions set announce_at = current_period_start, next_action_at = current_period_start
    where id = ${subscriptionId}`);
  await driver.advance(afterMonths(2));
  const totals = await pool.any(sql.type(z.object({ total: z.number() }))`
    select (body::jsonb #>> '{next_renewal,total}')::int as total from events
    where aggregate_id = ${subscriptionId} and type = 'subscription.renewal_upcoming' order by occurred_at`);
  expect(totals.slice(0, 2).map(({ total }) => total)).toEqual([720, 900]);
  expect(await chargedFor(subscriptionId)).toEqual([720, 720, 900]);
});
