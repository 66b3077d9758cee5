/** Immediate plan changes: their charge, and the state after each answer from the rail. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { setPriceStatus } from '../../../db/catalogue/prices.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { issueInvoicesDue } from '../../../db/invoice/invoices-due.ts';
import { findPaymentDetails } from '../../../db/payment/payment-details.ts';
import { beginChargeStored } from '../../../db/payment/stored-charge.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { storeComparison } from '../../../db/restore/compare.ts';
import { matchDifferences } from '../../../db/restore/differences.ts';
import { cancelSubscription, undoCancel } from '../../../db/subscription/cancel-subscription.ts';
import { type ChangeNow, changePlanNow } from '../../../db/subscription/change-now.ts';
import { type ChangeToPreview, previewChange } from '../../../db/subscription/preview-change.ts';
import { findSubscription } from '../../../db/subscription/read/find-subscription.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { replaceMethod } from '../../../db/subscription/replace-method.ts';
import { resolveSubscription } from '../../../db/subscription/resolve-subscription.ts';
import { scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays, boundary } from '../../../domain/core/calendar.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, recordRefund, UNKNOWN } from '../../support/db/attempts.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { insertPrice, insertProduct, insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  beginAt,
  driverOf,
  eventTypesOf,
  insertOffering,
  insertPlan,
  insertSubscription,
  LADDER_DAYS,
} from '../../support/db/subscriptions.ts';

const HARD: AttemptOutcome = { kind: 'declined', code: 'lost_or_stolen_card', retryable: false };
const BLOCKED: AttemptOutcome = { kind: 'declined', code: 'suspected_fraud', retryable: false };
const SOFT: AttemptOutcome = { kind: 'declined', code: 'insufficient_funds', retryable: true };
/** A period of 28 days, which begins in the future, so that its clock is moved. */
const START = '2045-02-01T09:00:00.000Z';
const END = '2045-03-01T09:00:00.000Z';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
/** 9.00 and 19.00 a month, 90.00 a year. */
let basic: string;
let plus: string;
let yearly: string;
/** An inactive price of `plus`: 39.00 a month. */
let olderPrice: string;
/** 9.00 a month per unit, for up to 50 units. */
let seats: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  const offering = await insertOffering(pool, shop.merchantId);
  const plan = (values: object) => insertPlan(pool, shop.merchantId, offering, { ...RECURRING, ...values });
  seats = await insertPlan(pool, shop.merchantId, offering, RECURRING, { min: 1, max: 50 });
  [basic, plus, yearly] = [
    await plan({}),
    await plan({ amount: 1_900 }),
    await plan({ amount: 9_000, interval: 'year' }),
  ];
  olderPrice = await insertPrice(pool, plus, { ...RECURRING, amount: 3_900, status: 'inactive' });
});
afterAll(() => database?.close());
beforeEach(() => pool.query(sql.unsafe`update subscription_clocks set target = null`));

async function subscribed(plan: string, ...answers: readonly AttemptOutcome[]) {
  const subscriptionId = await insertSubscription(pool, shop, plan);
  await beginAt(pool, subscriptionId, START);
  const queue = [...answers];
  const driver = driverOf(pool, subscriptionId, () => queue.shift() ?? APPROVED);
  const change = (targetPlanId: string, values: Partial<Extract<ChangeNow, { targetPlanId: string }>> = {}) =>
    changePlanNow(pool, {
      subscriptionId,
      operationKey: randomUUID(),
      type: 'plan_change',
      targetPlanId,
      targetOfferingId: null,
      calculatedAt: null,
      ...values,
    });
  const quantity = (to: number, calculatedAt: string | null = null) =>
    changePlanNow(pool, {
      subscriptionId,
      operationKey: randomUUID(),
      type: 'quantity_change',
      quantity: to,
      calculatedAt,
    });
  const preview = (
    targetPlanId: string,
    values: Partial<Pick<ChangeToPreview, 'effective' | 'calculatedAt'>> = {},
  ) =>
    previewChange(pool, {
      subscriptionId,
      type: 'plan_change',
      targetPlanId,
      targetOfferingId: null,
      effective: 'now',
      calculatedAt: null,
      ...values,
    });
  const shown = async () => {
    const found = await findSubscription(pool, shop, subscriptionId);
    if (!found) throw new Error('not found');
    return found;
  };
  /** Previews a change at the end of the period. */
  const planned = async (targetPlanId: string) => {
    const found = await preview(targetPlanId, { effective: 'period_end' });
    if (found.kind === 'refused') throw new Error(found.reason);
    return found;
  };
  const schedule = (targetPlanId: string, calculatedAt: string | null) =>
    scheduleChange(pool, {
      subscriptionId,
      operationKey: randomUUID(),
      type: 'plan_change',
      targetPlanId,
      targetOfferingId: null,
      calculatedAt,
    });
  return { subscriptionId, driver, change, quantity, preview, planned, schedule, shown };
}

const invoiceRow = z.object({
  status: z.string(),
  number: z.string().nullable(),
  amount: z.number(),
  amount_due: z.number(),
  start: z.string(),
  end: z.string(),
  amounts: z.array(z.number()),
  charged: z.number().nullable(),
});
const invoicesOf = (subscriptionId: string) =>
  pool.any(sql.type(invoiceRow)`
    select status, number, amount, amount_due, period_start as start, period_end as end,
      (select jsonb_agg((line ->> 'amount')::int) from jsonb_array_elements(line_items) line) as amounts,
      (select sum(p.amount)::integer from payments p where p.invoice_id = invoices.id and p.status = 'succeeded') as charged
    from invoices where subscription_id = ${subscriptionId} order by period_start`);

test('an immediate change keeps the billing cycles, and no renewal follows the last cycle', async () => {
  const { subscriptionId, driver, change, preview, shown } = await subscribed(basic);
  await pool.query(sql.unsafe`update products set billing_cycles = 5 where id = ${plus}`);
  await pool.query(sql.unsafe`update subscriptions set billing_cycles_left = 1 where id = ${subscriptionId}`);
  expect(await preview(plus)).toMatchObject({ nextRenewal: { at: END, total: 1_900 } });
  await pool.query(sql.unsafe`update subscriptions set billing_cycles_left = 0 where id = ${subscriptionId}`);
  expect(await preview(plus)).toMatchObject({ nextRenewal: null });
  expect(await change(plus)).toMatchObject({ kind: 'done' });
  await driver.run();
  expect(await shown()).toMatchObject({ product_id: plus, billing_cycles_left: 0, ends_at: END });
  await driver.advance(boundary(END, 'month', 3));
  expect(await shown()).toMatchObject({ status: 'cancelled', current_period_end: END });
  await pool.query(sql.unsafe`update products set billing_cycles = null where id = ${plus}`);
});

test('an immediate change to another interval begins a period, which uses up a billing cycle', async () => {
  const { subscriptionId, driver, change, preview, shown } = await subscribed(basic);
  const leave = (cycles: number) =>
    pool.query(
      sql.unsafe`update subscriptions set billing_cycles_left = ${cycles} where id = ${subscriptionId}`,
    );
  await leave(0);
  const refusal = { kind: 'refused', reason: 'subscription_cancel_scheduled' };
  expect([await preview(yearly), await change(yearly)]).toMatchObject([refusal, refusal]);
  await leave(2);
  expect(await preview(yearly)).toMatchObject({ nextRenewal: { total: 9_000 } });
  await leave(1);
  expect(await preview(yearly)).toMatchObject({ nextRenewal: null });
  await change(yearly);
  await driver.run();
  expect(await shown()).toMatchObject({ product_id: yearly, billing_cycles_left: 0 });
  await driver.advance(boundary(START, 'month', 25));
  expect(await shown()).toMatchObject({ status: 'cancelled' });
});

describe('an immediate change', () => {
  test('charges the difference for the rest of the period once, and renews on its day at the new price', async () => {
    const { subscriptionId, driver, change, shown } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    const answer = await change(plus);
    expect(answer).toMatchObject({ kind: 'done', paymentId: expect.stringMatching(/^ap_pay_/) });
    expect(await shown()).toMatchObject({ product_id: basic, amount: 900, change: { status: 'pending' } });
    await driver.run();
    expect(await shown()).toMatchObject({
      product_id: plus,
      amount: 1_900,
      current_period_start: START,
      current_period_end: END,
      change: { status: 'applied' },
    });
    const [, charged] = await invoicesOf(subscriptionId);
    expect(charged).toMatchObject({ status: 'created', amount_due: 0, end: END });
    expect(charged?.number).toMatch(/-\d{6}$/);
    expect(charged?.charged).toBe(charged?.amount);
    // A few seconds may have passed since the middle of the period.
    expect(Math.abs((charged?.amount ?? 0) - 500)).toBeLessThanOrEqual(1);
    expect(await eventTypesOf(pool, subscriptionId)).toEqual(
      expect.arrayContaining(['payment.succeeded', 'invoice.created', 'subscription.updated']),
    );
    await driver.advance(addDays(END, 1));
    expect((await invoicesOf(subscriptionId)).at(-1)).toMatchObject({
      start: END,
      amount: 1_900,
      charged: 1_900,
    });
  });

  test("to the same plan charges the difference to the plan's new price", async () => {
    const { productId } = await insertProduct(pool, { merchantId: shop.merchantId, price: RECURRING });
    const { subscriptionId, driver, change, shown } = await subscribed(productId);
    await driver.advance(addDays(START, 14));
    expect(await change(productId)).toMatchObject({ reason: 'plan_unchanged' });
    await pool.query(sql.unsafe`update prices set status = 'inactive' where product_id = ${productId}`);
    await insertPrice(pool, productId, { ...RECURRING, amount: 1_900 });
    expect(await change(productId)).toMatchObject({ kind: 'done' });
    await driver.run();
    expect(await shown()).toMatchObject({ product_id: productId, amount: 1_900, current_period_end: END });
    const [, charged] = await invoicesOf(subscriptionId);
    expect(charged?.charged).toBe(charged?.amount);
    expect(Math.abs((charged?.amount ?? 0) - 500)).toBeLessThanOrEqual(1);
  });

  test('is paid and applied even if its invoice cannot be issued; the sweep issues it later, and then its credit note', async () => {
    const { subscriptionId, driver, change, preview, shown } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    await pool.query(sql.unsafe`alter table invoices add constraint refuse check (
      subscription_id <> ${sql.literalValue(subscriptionId)} or number is null) not valid`);
    await change(plus);
    await driver.run();
    expect(await shown()).toMatchObject({ product_id: plus, change: { status: 'applied' } });
    const [, paid] = await invoicesOf(subscriptionId);
    expect(paid).toMatchObject({ status: 'draft', number: null, amount_due: 0, charged: paid?.amount });
    const created = async () =>
      (await eventTypesOf(pool, subscriptionId)).filter((type) => type === 'invoice.created').length;
    // The first payment's invoice.
    expect(await created()).toBe(1);
    expect(await preview(basic)).toMatchObject({
      reason: 'change_needs_period_end',
      total: expect.any(Number),
    });
    const refundId = await refundOf(subscriptionId, START);
    expect(await issueInvoicesDue(pool, 10)).toMatchObject([{ error: '23514' }]);

    await pool.query(sql.unsafe`alter table invoices drop constraint refuse`);
    expect(await issueInvoicesDue(pool, 10)).toEqual([]);
    const issued = await pool.one(sql.type(
      z.object({ status: z.string(), number: z.string(), after: z.boolean(), note: z.string().nullable() }),
    )`
      select i.status, i.number, i.issued_at > i.supplied_at as after, n.refund_id as note
      from invoices i left join credit_notes n on n.invoice_id = i.id
      where i.subscription_id = ${subscriptionId} and i.period_start > ${START}`);
    expect(issued).toEqual({
      status: 'created',
      number: expect.stringMatching(/-\d{6}$/),
      after: true,
      note: refundId,
    });
    expect(await created()).toBe(2);
    expect(await issueInvoicesDue(pool, 10)).toEqual([]);
  });

  test('is refused until the invoice of the purchase has been issued', async () => {
    const late = sql.unsafe`alter table invoices add constraint refuse check (number is null) not valid`;
    await pool.query(late);
    const subscriptionId = await insertSubscription(pool, shop, basic);
    await pool.query(sql.unsafe`alter table invoices drop constraint refuse`);
    const change = () =>
      changePlanNow(pool, {
        subscriptionId,
        operationKey: randomUUID(),
        type: 'plan_change',
        targetPlanId: plus,
        targetOfferingId: null,
        calculatedAt: null,
      });
    expect(await change()).toEqual({ kind: 'refused', reason: 'subscription_charge_pending' });
    expect(await issueInvoicesDue(pool, 10)).toEqual([]);
    expect(await change()).toMatchObject({ kind: 'done' });
  });

  test('fails, and its charge is never sent, once the period to charge for is over', async () => {
    const { subscriptionId, driver, change, shown } = await subscribed(basic, { kind: 'cancelled' });
    await driver.advance(addDays(START, 14));
    const answer = await change(plus);
    const paymentId = answer.kind === 'done' ? String(answer.paymentId) : '';
    await pool.query(sql.unsafe`
      update subscription_clocks set ahead_ms = ahead_ms + 30 * 86400000::bigint where subscription_id = ${subscriptionId}`);
    expect(await beginChargeStored(pool, paymentId, 10)).toBeNull();
    await driver.turn();
    expect(await shown()).toMatchObject({ product_id: basic, change: { status: 'failed' } });
  });

  test('is refused while a charge lost in a restore is listed and not settled', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    const lost = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      select period_payment_id(${subscriptionId}, ${addDays(START, 13)}, 1) as id`);
    const listed = { reference: lost, outcome: 'approved', amountCents: 500, currency: 'EUR' };
    await storeComparison(
      pool,
      1,
      { rail_account_id: shop.railAccountId },
      { charges: [{ ...listed, at: new Date().toISOString() }], refunds: [], disputes: [] },
    );
    await matchDifferences(pool, 1);
    expect(await change(plus)).toMatchObject({ kind: 'refused', reason: 'subscription_charge_pending' });
    await pool.query(sql.unsafe`update restore_findings set state = 'settled' where reference = ${lost}`);
    expect(await change(plus)).toMatchObject({ kind: 'done' });
  });

  test('can be attempted at most three times a day', async () => {
    const { driver, change } = await subscribed(basic, SOFT, SOFT, SOFT);
    await driver.advance(addDays(START, 14));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await change(plus)).toMatchObject({ kind: 'done' });
      await driver.run();
      await pool.query(sql.unsafe`update subscription_clocks set ahead_ms = ahead_ms + 1000`);
    }
    expect(await change(plus)).toMatchObject({ kind: 'refused', reason: 'attempts_of_today' });
    await driver.advance(addDays(START, 16));
    expect(await change(plus)).toMatchObject({ kind: 'done' });
  });

  test('is allowed after a charge that was blocked as suspected fraud, because the method itself may be fine', async () => {
    const { driver, change } = await subscribed(basic, BLOCKED);
    await driver.advance(addDays(START, 14));
    expect(await change(yearly)).toMatchObject({ kind: 'done' });
    await driver.run();
    await pool.query(sql.unsafe`update subscription_clocks set ahead_ms = ahead_ms + 1000`);
    expect(await change(plus)).toMatchObject({ kind: 'done' });
  });

  test('is refused after a hard decline until the method is replaced or charged successfully', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic, HARD, HARD);
    await driver.advance(addDays(START, 14));
    const decline = async () => {
      expect(await change(plus)).toMatchObject({ kind: 'done' });
      await driver.run();
      await pool.query(sql.unsafe`update subscription_clocks set ahead_ms = ahead_ms + 1000`);
      expect(await change(plus)).toEqual({ kind: 'refused', reason: 'payment_method_declined' });
    };
    await decline();
    const [paymentId = ''] = await paymentsOf(subscriptionId);
    await pool.query(
      sql.unsafe`update payments set credential_secret_ref = 'another' where id = ${paymentId}`,
    );
    await inTransaction(pool, (tx) =>
      replaceMethod(tx, subscriptionId, { checkoutId: 'ap_pmc_none', paymentId }),
    );
    await pool.query(sql.unsafe`update subscription_clocks set ahead_ms = ahead_ms + 1000`);
    await decline();
    // The renewal is approved.
    await driver.advance(addDays(END, 1));
    expect(await change(plus)).toMatchObject({ kind: 'done' });
  });

  test('to another interval begins a new period, whose start becomes the billing anchor', async () => {
    const { subscriptionId, driver, change, shown } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    await change(yearly);
    await driver.run();
    const [, charged] = await invoicesOf(subscriptionId);
    const { current_period_start: start, current_period_end: end } = await shown();
    expect([start, end]).toEqual([charged?.start, boundary(charged?.start ?? '', 'year', 1)]);
    expect(charged?.amounts.at(-1)).toBe(9_000);
    await driver.advance(addDays(end ?? '', 1));
    expect((await invoicesOf(subscriptionId)).at(-1)).toMatchObject({ start: end, amount: 9_000 });
  });

  test.each([
    ['declined', SOFT, 'failed'],
    ['ended without an answer', { kind: 'cancelled' } as const, 'cancelled'],
  ])('that is %s leaves everything unchanged, without dunning', async (_name, outcome, status) => {
    const { subscriptionId, driver, change, shown } = await subscribed(basic, outcome);
    await driver.advance(addDays(START, 14));
    const before = await shown();
    await change(plus);
    await driver.run();
    expect(await shown()).toEqual({ ...before, change: expect.objectContaining({ status: 'failed' }) });
    expect((await driver.view()).dunning).toBeNull();
    expect((await invoicesOf(subscriptionId)).at(-1)).toMatchObject({
      status: 'void',
      number: null,
      amount_due: 0,
    });
    const attempts = await pool.anyFirst(sql.type(z.object({ status: z.string() }))`
      select p.status from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${subscriptionId} and i.status = 'void'`);
    expect(attempts).toEqual([status]);
    // The change can be tried again, and the period renews as before.
    expect(await change(plus)).toMatchObject({ kind: 'done' });
    await driver.run();
    expect((await shown()).product_id).toBe(plus);
  });

  test('is charged once under its key; while that charge is in doubt, other changes are refused and no period begins', async () => {
    const unknown = Array.from({ length: 6 }, () => UNKNOWN);
    const { subscriptionId, driver, change, shown } = await subscribed(basic, ...unknown);
    await driver.advance(addDays(START, 27));
    const operationKey = randomUUID();
    const first = await change(plus, { operationKey });
    for (let turn = 0; turn < 3; turn++) await driver.turn();
    expect(await change(plus, { operationKey })).toEqual(first);
    expect(await change(plus)).toMatchObject({ reason: 'subscription_change_scheduled' });
    const end = { subscriptionId, operationKey: randomUUID(), atPeriodEnd: false };
    expect(await cancelSubscription(pool, end)).toMatchObject({ reason: 'subscription_change_scheduled' });
    expect((await driver.view()).next).toBeNull();
    await driver.run();
    expect((await shown()).change?.status).toBe('applied');
    await driver.advance(addDays(END, 1));
    expect((await invoicesOf(subscriptionId)).map(({ charged }) => charged)).toEqual([
      900,
      expect.any(Number),
      1_900,
    ]);
  });

  test.each(['succeeded', 'failed'] as const)('is settled as %s by an operator', async (outcome) => {
    const { subscriptionId, driver, change, shown } = await subscribed(basic, UNKNOWN);
    await driver.advance(addDays(START, 1));
    await change(plus);
    await driver.turn();
    const { openAttempt, version } = await driver.view();
    const request = { outcome, operator: 'ada', reason: 'r', evidence: 'e' } as const;
    const paymentId = openAttempt?.attemptId ?? '';
    const settled = { subscriptionId, paymentId, version, request, dunningLadderDays: LADDER_DAYS };
    expect(await resolveSubscription(pool, settled)).toBe(true);
    expect((await shown()).change?.status).toBe(outcome === 'succeeded' ? 'applied' : 'failed');
    expect((await shown()).status).toBe('active');
  });

  test('is refused with its total if nothing would be charged, and without a total in an imported period', async () => {
    const { subscriptionId, driver, change } = await subscribed(plus);
    await driver.advance(addDays(START, 14));
    const refused = await change(basic);
    expect(refused).toMatchObject({ kind: 'refused', reason: 'change_needs_period_end' });
    expect(refused).toHaveProperty('total', expect.any(Number));
    await pool.query(sql.unsafe`update payments set invoice_id = null
      where invoice_id in (select id from invoices where subscription_id = ${subscriptionId})`);
    await pool.query(sql.unsafe`delete from invoices where subscription_id = ${subscriptionId}`);
    expect(await change(yearly)).toEqual({ kind: 'refused', reason: 'change_needs_period_end' });
  });

  test('credits the amount that an import recorded as paid for the period', async () => {
    const { subscriptionId, driver, change, preview } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    const whole = await preview(plus);
    await pool.query(sql.unsafe`
      update subscriptions s set imported_period = jsonb_build_object(
        'start', i.period_start, 'end', i.period_end, 'paid', i.amount, 'tax_rate', 19)
      from invoices i where s.id = ${subscriptionId} and i.subscription_id = s.id`);
    await pool.query(sql.unsafe`update payments set invoice_id = null
      where invoice_id in (select id from invoices where subscription_id = ${subscriptionId})`);
    await pool.query(sql.unsafe`delete from invoices where subscription_id = ${subscriptionId}`);
    const credited = await preview(plus);
    expect(credited).toMatchObject({ kind: 'calculated', lines: [{ key: 'unused' }, { key: 'rest' }] });
    expect(credited).toHaveProperty('total', whole.kind === 'calculated' ? whole.total : null);
    expect(await change(plus)).toMatchObject({ kind: 'done' });
    await driver.run();
    // Changing back is refused with a total, in which the credit counts again.
    const back = await preview(basic);
    expect(back).toMatchObject({ reason: 'change_needs_period_end', total: expect.any(Number) });
  });

  test('credits payments less refunds and disputes, including the payment of an earlier change', async () => {
    const { subscriptionId, driver, change, preview } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    await pool.query(sql.unsafe`
      update payments set refunded_amount = 400, status = 'partially_refunded'
      where invoice_id = (select id from invoices where subscription_id = ${subscriptionId})`);
    const previewed = await preview(plus);
    expect(previewed.kind === 'calculated' && previewed.lines[0]).toMatchObject({
      key: 'unused',
      amount: -250,
    });
    await change(plus);
    await driver.run();
    const again = await preview(basic);
    // Half of 19.00 was paid with 2.50 of credit and 7.00: 9.50 is unused, and half of 9.00 is due.
    expect(again).toMatchObject({ kind: 'refused', reason: 'change_needs_period_end' });
    expect(Math.abs((again.kind === 'refused' ? (again.total ?? 0) : 0) + 500)).toBeLessThanOrEqual(2);
  });
});

describe('a refund after an immediate change', () => {
  /** Returns the amounts that the dashboard offers to refund, oldest payment first. */
  async function offered(subscriptionId: string): Promise<readonly (number | undefined)[]> {
    const details = (await paymentsOf(subscriptionId)).map((id) =>
      findPaymentDetails(pool, 'https://pay.example', shop.merchantId, 'sandbox', id),
    );
    return (await Promise.all(details)).map((payment) => payment?.refundable_amount);
  }

  test('excludes the amount credited by the change until the change’s own charge is refunded', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    await change(plus);
    await driver.run();
    // 4.50 of the 9.00 were credited, and the change was paid with them and with 5.00.
    expect(await refundCents(subscriptionId, 0, 451)).toBe('refund_amount_exceeds_payment');
    expect(await offered(subscriptionId)).toEqual([450, 500]);
    expect(await refundCents(subscriptionId, 1, 499)).toBe('succeeded');
    expect(await refundCents(subscriptionId, 0, 451)).toBe('refund_amount_exceeds_payment');
    expect(await refundCents(subscriptionId, 1, 1)).toBe('succeeded');
    expect(await refundCents(subscriptionId, 0, 900)).toBe('succeeded');
    expect(await offered(subscriptionId)).toEqual([0, 0]);
  });

  test('includes the credited amount once a chargeback has returned the rest of the change’s charge', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    await change(plus);
    await driver.run();
    expect(await refundCents(subscriptionId, 1, 100)).toBe('succeeded');
    const lose = async (amount: number) =>
      insertDispute(pool, shop, (await paymentsOf(subscriptionId))[1] ?? '', {
        status: 'lost',
        railDisputeId: randomUUID(),
        amount,
      });
    await lose(399);
    expect((await offered(subscriptionId))[0]).toBe(450);
    await lose(1);
    expect((await offered(subscriptionId))[0]).toBe(900);
    expect(await refundCents(subscriptionId, 0, null)).toBe('succeeded');
  });

  test('is not limited by a change in the next period, even if that period’s renewal was charged back', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic);
    await driver.advance(END);
    await driver.advance(addDays(END, 14));
    await change(plus);
    await driver.run();
    const [, renewal = ''] = await paymentsOf(subscriptionId);
    await insertDispute(pool, shop, renewal, { status: 'lost', amount: 900 });
    expect((await offered(subscriptionId))[0]).toBe(900);
  });

  test('without an amount returns the remaining amount; a second refund is refused', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    await change(plus);
    await driver.run();
    expect(await refundCents(subscriptionId, 0, null)).toBe('succeeded');
    expect(await offered(subscriptionId)).toEqual([0, 500]);
    expect(await refundCents(subscriptionId, 0, null)).toBe('refund_amount_exceeds_payment');
  });

  test('excludes the part that a later change credited', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic);
    for (const [days, target] of [
      [14, plus],
      [21, yearly],
    ] as const) {
      await driver.advance(addDays(START, days));
      await change(target);
      await driver.run();
    }
    // 4.75 of the 9.50 were credited to the year, of which the change itself had paid 5.00.
    expect(await offered(subscriptionId)).toEqual([450, 475, 8_525]);
    expect(await refundCents(subscriptionId, 1, 476)).toBe('refund_amount_exceeds_payment');
    for (const number of [2, 1, 0]) expect(await refundCents(subscriptionId, number, null)).toBe('succeeded');
    expect(await offered(subscriptionId)).toEqual([0, 0, 0]);
    const returned = await pool.oneFirst(sql.type(z.object({ cents: z.number() }))`
      select sum(refunded_amount)::int as cents from payments where id = any(${sql.array(await paymentsOf(subscriptionId), 'text')})`);
    expect(returned).toBe(900 + 500 + 8_525);
  });

  test('does not return money credited by a later change, even if a refund failed after the preceding change', async () => {
    const { subscriptionId, driver, change, preview } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    const failing = await refundPayment((await paymentsOf(subscriptionId))[0] ?? '', 900);
    if (typeof failing === 'string') throw new Error(failing);
    // Nothing is credited while the 9.00 are being refunded.
    await change(plus);
    await driver.run();
    await recordRefund(pool, failing.id, { kind: 'failed', code: 'declined' });
    await driver.advance(addDays(START, 15));
    const previewed = await preview(yearly);
    const credit = 0 - (previewed.kind === 'calculated' ? (previewed.lines[0]?.amount ?? 0) : 0);
    await change(yearly);
    await driver.run();
    const [first = 0, second = 0] = await offered(subscriptionId);
    expect([first, second + credit]).toEqual([900, 950]);
  });

  test('excludes the amount credited by a change that is still being charged', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic, SOFT);
    await driver.advance(addDays(START, 14));
    await change(plus);
    expect(await refundCents(subscriptionId, 0, 451)).toBe('refund_amount_exceeds_payment');
    await driver.run();
    expect(await offered(subscriptionId)).toEqual([900, 0]);
  });

  test('waits until a concurrent change has been claimed', async () => {
    const { subscriptionId, driver, change } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    const held = Promise.withResolvers<void>();
    // Blocks the change after it has read the paid amounts.
    const holding = pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`lock table subscription_changes in share mode`);
      await held.promise;
    });
    const changing = change(plus);
    await setTimeout(300);
    const refunding = refundCents(subscriptionId, 0, 900);
    await setTimeout(300);
    held.resolve();
    await holding;
    expect(await changing).toMatchObject({ kind: 'done' });
    expect(await refunding).toBe('refund_amount_exceeds_payment');
  });
});

describe('a change of quantity', () => {
  const atEnd = (subscriptionId: string, quantity: number) =>
    scheduleChange(pool, {
      subscriptionId,
      operationKey: randomUUID(),
      type: 'quantity_change',
      quantity,
      calculatedAt: null,
    });

  test('charges an increase immediately as previewed, and applies a decrease from the next period', async () => {
    const { subscriptionId, driver, quantity, shown } = await subscribed(seats);
    await driver.advance(addDays(START, 9));
    const type = 'quantity_change' as const;
    const wanted = { subscriptionId, type, quantity: 4, effective: 'now' as const, calculatedAt: null };
    const previewed = await previewChange(pool, wanted);
    if (previewed.kind === 'refused') throw new Error(previewed.reason);
    expect(previewed.nextRenewal).toEqual({ at: END, total: 3_600 });
    await quantity(4, previewed.calculatedAt);
    expect(await shown()).toMatchObject({ quantity: 1, amount: 900, change: { status: 'pending' } });
    await driver.run();
    expect(await shown()).toMatchObject({ quantity: 4, amount: 3_600, current_period_end: END });
    expect((await invoicesOf(subscriptionId)).at(-1)).toMatchObject({
      charged: previewed.total,
      amounts: previewed.lines.map(({ amount }) => amount),
    });
    expect(await quantity(3)).toMatchObject({ reason: 'change_needs_period_end' });
    expect(await atEnd(subscriptionId, 2)).toMatchObject({ kind: 'done' });
    expect(await quantity(5)).toMatchObject({ reason: 'subscription_change_scheduled' });
    await driver.advance(addDays(END, 1));
    expect(await shown()).toMatchObject({ quantity: 2, amount: 1_800, change: { status: 'applied' } });
    expect((await invoicesOf(subscriptionId)).at(-1)).toMatchObject({ start: END, charged: 1_800 });
  });

  test('keeps price and plan, even if neither is on sale any longer', async () => {
    const plan = await insertPlan(pool, shop.merchantId, null, RECURRING, { min: 1, max: 9 });
    const { subscriptionId, driver, shown } = await subscribed(plan);
    await pool.query(sql.unsafe`update prices set status = 'inactive' where product_id = ${plan}`);
    await insertPrice(pool, plan, { ...RECURRING, amount: 5_000 });
    await pool.query(sql.unsafe`update products set status = 'inactive' where id = ${plan}`);
    expect(await atEnd(subscriptionId, 9)).toMatchObject({ kind: 'done' });
    await driver.advance(addDays(END, 1));
    expect(await shown()).toMatchObject({ product_id: plan, quantity: 9, amount: 8_100 });
  });

  test('is refused if it is out of bounds, is unchanged or would overflow the price', async () => {
    const { subscriptionId, change, quantity } = await subscribed(seats);
    expect(await quantity(1)).toMatchObject({ reason: 'quantity_unchanged' });
    for (const wrong of [0, 51]) {
      expect(await quantity(wrong)).toMatchObject({ reason: 'subscription_quantity_invalid' });
      expect(await atEnd(subscriptionId, wrong)).toMatchObject({ reason: 'subscription_quantity_invalid' });
    }
    const dear = await insertPlan(
      pool,
      shop.merchantId,
      null,
      { ...RECURRING, amount: 99_999_999 },
      { min: 1, max: 10_000 },
    );
    const expensive = await subscribed(dear);
    expect(await expensive.quantity(10_000)).toMatchObject({ reason: 'subscription_quantity_invalid' });
    expect(await atEnd(subscriptionId, 2)).toMatchObject({ kind: 'done' });
    await pool.query(sql.unsafe`update subscription_changes set status = 'cancelled'`);
    await pool.query(sql.unsafe`update subscriptions set quantity = 2 where id = ${subscriptionId}`);
    expect(await change(plus)).toMatchObject({ reason: 'plan_incompatible' });
  });

  test('that races a plan change results in one change and one charge', async () => {
    const { subscriptionId, driver, change, quantity, shown } = await subscribed(seats);
    await driver.advance(addDays(START, 9));
    const answers = await Promise.all([change(plus), quantity(3), change(plus), quantity(3)]);
    expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1);
    for (const answer of answers.filter(({ kind }) => kind === 'refused'))
      expect(answer).toMatchObject({ reason: 'subscription_change_scheduled' });
    await driver.run();
    expect(await invoicesOf(subscriptionId)).toHaveLength(2);
    const { product_id, quantity: now, amount } = await shown();
    expect([
      [plus, 1, 1_900],
      [seats, 3, 2_700],
    ]).toContainEqual([product_id, now, amount]);
  });

  test.each(['now', 'period_end'] as const)(
    'that races the renewal (%s) bills each period once',
    async (when) => {
      const { subscriptionId, driver, quantity, shown } = await subscribed(seats);
      await driver.advance(new Date(Date.parse(END) - 60_000).toISOString());
      await pool.query(sql.unsafe`
      update subscription_clocks set ahead_ms = ahead_ms + 60000 where subscription_id = ${subscriptionId}`);
      const [answer] = await Promise.all([
        when === 'now' ? quantity(3) : atEnd(subscriptionId, 3),
        renewPeriod(pool, subscriptionId),
      ]);
      // At the end of the period, none of the paid time is left to charge for.
      if (when === 'now') expect(answer).toMatchObject({ reason: 'subscription_charge_pending' });
      else expect(answer).toMatchObject({ kind: 'done' });
      await driver.run();
      const renewed = (await invoicesOf(subscriptionId)).filter(({ start }) => start === END);
      expect(renewed.map(({ charged }) => charged)).toEqual([900]);
      expect(await shown()).toMatchObject({ quantity: 1, amount: 900, current_period_start: END });
    },
  );
});

describe('a preview', () => {
  test('shows the lines exactly as they will be charged, and has no effect', async () => {
    const { subscriptionId, driver, change, preview, shown } = await subscribed(basic);
    await driver.advance(addDays(START, 9));
    const before = await shown();
    const previewed = await preview(plus);
    if (previewed.kind === 'refused') throw new Error(previewed.reason);
    expect(await shown()).toEqual(before);
    expect(previewed.nextRenewal).toEqual({ at: END, total: 1_900 });
    await change(plus, { calculatedAt: previewed.calculatedAt });
    await driver.run();
    const [, charged] = await invoicesOf(subscriptionId);
    expect(charged).toMatchObject({
      start: previewed.calculatedAt,
      charged: previewed.total,
      amounts: previewed.lines.map(({ amount }) => amount),
    });
  });

  test('is outdated after 15 minutes, or once the subscription has changed', async () => {
    const { driver, change, preview } = await subscribed(basic, SOFT);
    await driver.advance(addDays(START, 9));
    const previewed = await preview(plus);
    if (previewed.kind === 'refused') throw new Error(previewed.reason);
    const { calculatedAt } = previewed;
    await driver.advance(new Date(Date.parse(calculatedAt) + 901_000).toISOString());
    expect(await change(plus, { calculatedAt })).toMatchObject({
      reason: 'preview_outdated',
      total: expect.any(Number),
    });
    const next = await preview(plus);
    if (next.kind === 'refused') throw new Error(next.reason);
    await change(plus);
    await driver.run();
    expect(await change(plus, { calculatedAt: next.calculatedAt })).toMatchObject({
      reason: 'preview_outdated',
    });
  });

  test.each([
    ['a refund', (subscriptionId: string) => refundSome(subscriptionId)],
    ['a new price', () => replacePrice(plus)],
    ['an older price that is active again', () => activateOlderPrice()],
  ])('is outdated by %s, even with a moved clock', async (_name, change) => {
    const { subscriptionId, driver, change: changeTo, preview } = await subscribed(basic);
    await driver.advance(addDays(START, 9));
    const previewed = await preview(plus);
    if (previewed.kind === 'refused') throw new Error(previewed.reason);
    await change(subscriptionId);
    expect(await changeTo(plus, { calculatedAt: previewed.calculatedAt })).toMatchObject({
      reason: 'preview_outdated',
    });
    const next = await preview(plus);
    expect(next.kind === 'calculated' && next.total > previewed.total).toBe(true);
  });

  test('of a scheduled change is applied as shown, and outdated after 15 minutes', async () => {
    const { driver, planned, schedule, preview, shown } = await subscribed(basic);
    await driver.advance(addDays(START, 9));
    const { calculatedAt: early } = await planned(plus);
    await driver.advance(new Date(Date.parse(early) + 901_000).toISOString());
    const { calculatedAt, nextRenewal } = await planned(plus);
    const outdated = { kind: 'refused', reason: 'preview_outdated', total: nextRenewal?.total };
    expect(await schedule(plus, early)).toEqual(outdated);
    expect(await preview(plus, { effective: 'period_end', calculatedAt: early })).toEqual(outdated);
    expect(await schedule(plus, calculatedAt)).toMatchObject({ kind: 'done' });
    await driver.advance(addDays(END, 1));
    expect(await shown()).toMatchObject({ product_id: plus, amount: nextRenewal?.total });
  });

  test.each([
    ['a new price', () => replacePrice(plus)],
    ['an older price that is active again', () => activateOlderPrice()],
    [
      'a change of the subscription',
      async (subscriptionId: string) => {
        const operation = { subscriptionId, operationKey: randomUUID() };
        await cancelSubscription(pool, { ...operation, atPeriodEnd: true });
        await undoCancel(pool, { ...operation, operationKey: randomUUID() });
      },
    ],
  ])(
    'of a scheduled change is outdated by %s, and the refusal states the renewal’s total',
    async (_name, change) => {
      const { subscriptionId, driver, planned, schedule, shown } = await subscribed(basic);
      await driver.advance(addDays(START, 9));
      const { calculatedAt } = await planned(plus);
      await change(subscriptionId);
      const { nextRenewal, calculatedAt: next } = await planned(plus);
      expect(await schedule(plus, calculatedAt)).toEqual({
        kind: 'refused',
        reason: 'preview_outdated',
        total: nextRenewal?.total,
      });
      expect(await shown()).toMatchObject({ change: null });
      expect(await schedule(plus, next)).toMatchObject({ kind: 'done' });
    },
  );

  test('of a scheduled change is outdated once the next period is due, even if it begins late', async () => {
    const { subscriptionId, driver, planned, schedule } = await subscribed(basic);
    // Moving the clock also moves the price's activation, which must stay before the preview.
    await pool.query(sql.unsafe`
      update prices set activated_at = activated_at - interval '1 hour' where product_id = ${plus}`);
    await driver.advance(new Date(Date.parse(END) - 60_000).toISOString());
    const { calculatedAt } = await planned(plus);
    await pool.query(sql.unsafe`
      update subscription_clocks set ahead_ms = ahead_ms + 120000 where subscription_id = ${subscriptionId}`);
    expect(await schedule(plus, calculatedAt)).toMatchObject({ reason: 'preview_outdated' });
  });

  test('waits until a concurrent refund has been created', async () => {
    const { subscriptionId, driver, preview } = await subscribed(basic);
    await driver.advance(addDays(START, 14));
    let previewed: ReturnType<typeof preview> | undefined;
    await pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`
        update payments set refunded_amount = 400, updated_at = service_clock()
        where invoice_id = (select id from invoices where subscription_id = ${subscriptionId})`);
      previewed = preview(plus);
      await setTimeout(300);
    });
    expect(await previewed).toMatchObject({ lines: [{ key: 'unused', amount: -250 }, { key: 'rest' }] });
  });
});

/** Refunds a euro of the payment of the invoice that begins after `since`. @returns the refund's id */
async function refundOf(subscriptionId: string, since: string): Promise<string> {
  const refundId = await refundSome(subscriptionId, since);
  await succeedRefund(refundId);
  return refundId;
}

function succeedRefund(refundId: string): Promise<void> {
  return recordRefund(pool, refundId, { kind: 'succeeded' });
}

async function refundSome(subscriptionId: string, after = '-infinity'): Promise<string> {
  const paymentId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    update payments p set rail_order_id = 'order' from invoices i
    where i.id = p.invoice_id and i.subscription_id = ${subscriptionId} and i.period_start > ${after} returning p.id`);
  const refund = await refundPayment(paymentId, 100);
  if (typeof refund === 'string') throw new Error(refund);
  return refund.id;
}

/** @returns the refusal, or 'succeeded' */
async function refundCents(subscriptionId: string, number: number, amount: number | null): Promise<string> {
  const refund = await refundPayment((await paymentsOf(subscriptionId))[number] ?? '', amount);
  if (typeof refund === 'string') return refund;
  await succeedRefund(refund.id);
  return 'succeeded';
}

async function refundPayment(paymentId: string, amount: number | null) {
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  return createRefund(pool, {
    scope: shop,
    operationId: randomUUID(),
    of: { paymentId },
    amount,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
}

/** Returns the ids of the subscription's payments, oldest first, each known to the rail. */
async function paymentsOf(subscriptionId: string): Promise<readonly string[]> {
  await pool.query(sql.unsafe`
    update payments p set rail_order_id = 'order' from invoices i
    where i.id = p.invoice_id and i.subscription_id = ${subscriptionId}`);
  return pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} order by i.period_start`);
}

async function replacePrice(planId: string): Promise<void> {
  await pool.query(sql.unsafe`update prices set status = 'inactive' where product_id = ${planId}`);
  await insertPrice(pool, planId, { ...RECURRING, amount: 2_900 });
}

async function activateOlderPrice(): Promise<void> {
  const plan = { merchantId: shop.merchantId, productId: plus };
  await setPriceStatus(pool, plan, { priceId: olderPrice, status: 'active' }, { actor: 'ada' });
}
