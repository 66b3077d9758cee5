/** A difference found by the comparison stays open until the database agrees (rule 29). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { stopCoupon } from '../../../db/catalogue/coupons.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { recordDisputes } from '../../../db/dispute/record-disputes.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { admitAttempt } from '../../../db/payment/rail-admission.ts';
import { storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { beginChargeStored } from '../../../db/payment/stored-charge.ts';
import { takeUnknownWebhooks } from '../../../db/payment/unapplied-webhooks.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { adoptAttempt, adoptRefund, adoptRequestedCharge } from '../../../db/restore/adopt.ts';
import { closeAdopted, listForAPerson } from '../../../db/restore/close-differences.ts';
import { type RailList, storeComparison, storeRefusal } from '../../../db/restore/compare.ts';
import { matchDifferences, openDifferences, postpone } from '../../../db/restore/differences.ts';
import type { Operation, OperationAnswer } from '../../../db/subscription/core/subscription-operations.ts';
import { moveTrial } from '../../../db/subscription/move-trial.ts';
import { resumeSubscription } from '../../../db/subscription/pause-subscription.ts';
import { isChargeDue } from '../../../db/subscription/read/subscription-sweep.ts';
import { APPROVED, answer, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import { giveCoupon, insertCoupon } from '../../support/db/coupons.ts';
import {
  insertProduct,
  insertPurchase,
  insertRailAccount,
  insertSession,
  insertShop,
  RECURRING,
  type Shop,
} from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let epoch = 1;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

const text = sql.type(z.object({ text: z.string() }));
const at = new Date().toISOString();
const money = { amountCents: 1_900, currency: 'EUR', at };
const charge = (reference: string, outcome = 'approved') => ({ ...money, reference, outcome });
const refundOf = (payment: string, reference: string, outcome = 'succeeded') => ({
  ...money,
  reference,
  outcome,
  payment,
});

/** Compares the rail's list in a separate epoch. */
async function compare(list: Partial<RailList>, accountId = shop.railAccountId): Promise<number> {
  epoch += 1;
  await storeComparison(
    pool,
    epoch,
    { rail_account_id: accountId },
    { charges: [], refunds: [], disputes: [], ...list },
  );
  await matchDifferences(pool, epoch);
  return epoch;
}
const stateOf = (reference: string) =>
  pool.maybeOneFirst(text`select state as text from restore_findings where reference = ${reference}`);
const open = async () => (await openDifferences(pool, epoch)).map(({ reference }) => reference);
const findingOf = async (reference: string) => {
  const found = (await openDifferences(pool, epoch)).find((each) => each.reference === reference);
  if (!found) throw new Error(`${reference} is not open`);
  return found;
};

/** A session without attempts, and the derived id of its first attempt. */
async function lostAttempt(
  productId = shop.products.oneTime,
): Promise<{ sessionId: string; paymentId: string }> {
  const { id: sessionId } = await insertSession(pool, shop, productId);
  return { sessionId, paymentId: await firstAttemptOf(sessionId) };
}

const firstAttemptOf = (sessionId: string) =>
  pool.oneFirst(
    text`select session_payment_id(id, created_at, 1) as text from checkouts where id = ${sessionId}`,
  );

const couponAndAmounts = (sessionId: string) =>
  pool.oneFirst(sql.type(z.object({ adopted: z.unknown() }))`
    select jsonb_build_array(c.coupon_id, c.amount, p.amount) as adopted
    from checkouts c join payments p on p.checkout_id = c.id where c.id = ${sessionId}`);

test('an attempt is adopted with the quantity that the rail charged, because the click that chose it was lost', async () => {
  const { merchantId } = shop;
  const seats = await insertProduct(pool, {
    merchantId,
    quantity: { min: 1, max: 9 },
    price: { amount: 900 },
  });
  const { sessionId, paymentId } = await lostAttempt(seats.productId);
  await compare({ charges: [{ ...charge(paymentId), amountCents: 3_600 }] });
  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  const amounts = await pool.anyFirst(sql.type(z.object({ amounts: z.unknown() }))`
    select jsonb_build_array(c.quantity, c.amount, p.amount, o.amount) as amounts
    from checkouts c join payments p on p.checkout_id = c.id join orders o on o.checkout_id = c.id
    where c.id = ${sessionId} and p.id = ${paymentId}`);
  expect(amounts).toEqual([[4, 3_600, 3_600, 3_600]]);
});

test('an attempt of a trial is adopted with the listed quantity, unless it is not sold', async () => {
  const { merchantId } = shop;
  const price = { ...RECURRING, trialPeriodDays: 14 };
  const { productId } = await insertProduct(pool, { merchantId, quantity: { min: 2, max: 9 }, price });
  const quantities = [];
  for (const quantity of [4, null, 10]) {
    const { sessionId, paymentId } = await lostAttempt(productId);
    await compare({ charges: [{ ...charge(paymentId), amountCents: 0, quantity }] });
    await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
    const adopted = sql.type(z.object({ terms: z.unknown() }))`
      select jsonb_build_array(s.quantity, s.amount, p.amount) as terms
      from subscriptions s join payments p on p.checkout_id = s.checkout_id where p.id = ${paymentId}`;
    quantities.push(await pool.oneFirst(adopted));
  }
  expect(quantities).toEqual([
    [4, 3_600, 0],
    [2, 1_800, 0],
    [2, 1_800, 0],
  ]);
});

test('of several quantities that a coupon makes free, the listed one is adopted', async () => {
  const { merchantId } = shop;
  const quantity = { min: 1, max: 9 };
  const { productId } = await insertProduct(pool, { merchantId, quantity, price: RECURRING });
  const coupon = await insertCoupon(pool, shop, { percent: 100 });
  const { sessionId, paymentId } = await lostAttempt(productId);
  await giveCoupon(pool, sessionId, coupon.code);
  await compare({ charges: [{ ...charge(paymentId), amountCents: 0, quantity: 5 }] });
  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  const adopted = sql.type(z.object({ terms: z.unknown() }))`
    select jsonb_build_array(c.quantity, c.coupon_id, c.amount, p.amount) as terms
    from checkouts c join payments p on p.checkout_id = c.id where c.id = ${sessionId}`;
  expect(await pool.oneFirst(adopted)).toEqual([5, coupon.id, 0, 0]);
});

test('an attempt at the full price is adopted although the restored session offers a trial that its buyer had used', async () => {
  const { merchantId } = shop;
  const price = { ...RECURRING, trialPeriodDays: 14 };
  const once = { oneTrialPerCustomer: true, oneSubscriptionPerCustomer: true };
  const { productId } = await insertProduct(pool, { merchantId, price, ...once });
  const { sessionId, paymentId } = await lostAttempt(productId);
  await pool.query(sql.unsafe`
    update checkouts set customer_id = (select customer_id from subscriptions where id = ${await insertSubscription(pool, shop, productId)})
    where id = ${sessionId}`);
  await compare({ charges: [{ ...charge(paymentId), amountCents: 900 }] });
  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  const adopted = sql.type(
    z.object({ amount: z.number() }),
  )`select amount from payments where id = ${paymentId}`;
  expect(await pool.anyFirst(adopted)).toEqual([900]);
});

test.each([
  [true, 100, null],
  [true, 50, 14],
  [false, 100, 14],
])(
  'an attempt of 0 whose buyer had used the trial (%s), with %d%% off, is adopted as one with a trial of %s days',
  async (hadTrial, percent, days) => {
    const { merchantId } = shop;
    const price = { ...RECURRING, trialPeriodDays: 14 };
    const { productId } = await insertProduct(pool, { merchantId, price, oneTrialPerCustomer: true });
    const coupon = await insertCoupon(pool, shop, { percent });
    const { sessionId, paymentId } = await lostAttempt(productId);
    await giveCoupon(pool, sessionId, coupon.code);
    const earlier = await insertSubscription(pool, shop, productId);
    if (hadTrial)
      await pool.query(sql.unsafe`
      update checkouts set customer_id = (select customer_id from subscriptions where id = ${earlier}) where id = ${sessionId}`);
    await compare({ charges: [{ ...charge(paymentId), amountCents: 0 }] });
    await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
    const adopted = sql.type(z.object({ terms: z.unknown() }))`
    select jsonb_build_array(c.terms #> '{price,recurring,trial_period_days}', c.coupon_id, p.amount) as terms
    from checkouts c join payments p on p.checkout_id = c.id where c.id = ${sessionId}`;
    expect(await pool.oneFirst(adopted)).toEqual([days, coupon.id, 0]);
  },
);

test('an attempt with a coupon is adopted at its reduced amount, although the coupon has since been stopped', async () => {
  const { merchantId } = shop;
  const quantity = { min: 1, max: 9 };
  const seats = await insertProduct(pool, { merchantId, quantity, price: { amount: 900 } });
  const coupon = await insertCoupon(pool, shop, { percent: 50 });
  const { sessionId, paymentId } = await lostAttempt(seats.productId);
  await giveCoupon(pool, sessionId, coupon.code);
  await stopCoupon(pool, merchantId, coupon.id, { actor: 'test' });
  await compare({ charges: [{ ...charge(paymentId), amountCents: 1_350 }] });
  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  const amounts = await pool.anyFirst(sql.type(z.object({ amounts: z.unknown() }))`
    select jsonb_build_array(c.quantity, c.amount, p.amount, o.amount) as amounts
    from checkouts c join payments p on p.checkout_id = c.id join orders o on o.checkout_id = c.id
    where c.id = ${sessionId} and p.id = ${paymentId}`);
  expect(amounts).toEqual([[3, 1_350, 1_350, 1_350]]);
});

test.each([[1_900], [950]])(
  'an attempt of %i cents is adopted, with the half-price coupon or without it',
  async (amountCents) => {
    const { sessionId, paymentId } = await lostAttempt();
    const coupon = await insertCoupon(pool, shop, { percent: 50 });
    await giveCoupon(pool, sessionId, coupon.code);
    await compare({ charges: [{ ...charge(paymentId), amountCents }] });
    await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
    const kept = amountCents === 950 ? coupon.id : null;
    expect(await couponAndAmounts(sessionId)).toEqual([kept, amountCents, amountCents]);
  },
);

test.each([
  ['the only coupon that explains it', [{ percent: 37 }], 1_197, 0],
  ['neither of two', [{ percent: 41 }, { percent: 41 }], 1_121, null],
  [
    'the one of two that was valid',
    [{ percent: 43, valid_until: '2026-01-01T00:00:00Z' }, { percent: 43 }],
    1_083,
    1,
  ],
] as const)(
  'an attempt whose code was entered in the lost time is adopted with %s',
  async (_which, given, amountCents, used) => {
    const coupons: { readonly id: string }[] = [];
    for (const fields of given) coupons.push(await insertCoupon(pool, shop, fields));
    const { sessionId, paymentId } = await lostAttempt();
    await compare({ charges: [{ ...charge(paymentId), amountCents }] });
    await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
    const { id = null } = (used !== null && coupons[used]) || {};
    const amount = id === null ? 1_900 : amountCents;
    expect(await couponAndAmounts(sessionId)).toEqual([id, amount, amount]);
  },
);

test('an amount of the session’s own is adopted without the coupon that would explain it', async () => {
  await insertCoupon(pool, shop, { percent: 47 });
  const { id: sessionId } = await insertSession(pool, shop, shop.products.oneTime, { amount: 1_007 });
  const paymentId = await firstAttemptOf(sessionId);
  await compare({ charges: [{ ...charge(paymentId), amountCents: 1_007 }] });
  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  expect(await couponAndAmounts(sessionId)).toEqual([null, 1_007, 1_007]);
});

test('of two adopted trials, only one keeps a single-redemption coupon, even if the coupon has since expired', async () => {
  const coupon = await insertCoupon(pool, shop, { percent: 50, max_redemptions: 1 });
  const attempts = [await lostAttempt(shop.products.trial), await lostAttempt(shop.products.trial)];
  for (const { sessionId } of attempts) await giveCoupon(pool, sessionId, coupon.code);
  await pool.query(sql.unsafe`
    update coupons set valid_until = service_clock() - interval '1 second' where id = ${coupon.id}`);
  await compare({ charges: attempts.map(({ paymentId }) => ({ ...charge(paymentId), amountCents: 0 })) });
  await Promise.all(
    attempts.map(async ({ sessionId, paymentId }) =>
      adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId }),
    ),
  );
  const kept = await pool.anyFirst(sql.type(z.object({ coupon_id: z.string().nullable() }))`
    select c.coupon_id from checkouts c join payments p on p.checkout_id = c.id
    where p.id = any (${sql.array(
      attempts.map(({ paymentId }) => paymentId),
      'text',
    )})
    order by c.coupon_id`);
  expect(kept).toEqual([coupon.id, null]);
});

test('a trial keeps its coupon when it is adopted twice, even if its buyer has since bought something', async () => {
  const coupon = await insertCoupon(pool, shop, { first_purchase_only: true, max_per_customer: 1 });
  const { sessionId, paymentId } = await lostAttempt(shop.products.trial);
  await giveCoupon(pool, sessionId, coupon.code);
  const bought = await insertSession(pool, shop, shop.products.oneTime);
  await pool.query(sql.unsafe`
    update checkouts set customer_id = (select customer_id from checkouts where id = ${sessionId})
    where id = ${bought.id}`);
  await answer(pool, bought.id, await clickAccepted(pool, bought.id), APPROVED);
  await compare({ charges: [{ ...charge(paymentId), amountCents: 0 }] });
  const difference = { ...(await findingOf(paymentId)), ownerId: sessionId };
  await adoptAttempt(pool, difference);
  await adoptAttempt(pool, difference);
  const kept = sql.type(z.object({ kept: z.unknown() }))`
    select jsonb_build_array(c.coupon_id, s.coupon_id) as kept from checkouts c join subscriptions s on s.checkout_id = c.id
    where c.id = ${sessionId}`;
  expect(await pool.oneFirst(kept)).toEqual([coupon.id, coupon.id]);
});

test('a trial is free, unless another charge for its session shows a price', async () => {
  const [paid, free] = [await lostAttempt(shop.products.trial), await lostAttempt(shop.products.trial)];
  const second = await pool.oneFirst(text`
    select session_payment_id(id, created_at, 2) as text from checkouts where id = ${paid.sessionId}`);
  const authorised = [paid, free].map(({ paymentId }) => ({ ...charge(paymentId), amountCents: 0 }));
  await compare({ charges: [...authorised, charge(second)] });
  const found = (await openDifferences(pool, epoch)).map(({ reference, isFree }) => [reference, isFree]);
  expect(Object.fromEntries(found)).toEqual({
    [paid.paymentId]: false,
    [second]: false,
    [free.paymentId]: true,
  });
});

test('a returned charge is adopted with its refund, so its session is not paid again under the same reference', async () => {
  const { sessionId, paymentId } = await lostAttempt();
  const back = `${paymentId}-return`;
  await compare({ charges: [charge(paymentId)], refunds: [refundOf(paymentId, back)] });
  expect(await open()).toEqual([paymentId, back]);

  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  await answer(pool, sessionId, paymentId, APPROVED);
  expect(await adoptRefund(pool, await findingOf(back))).toEqual({ adopted: true, ended: null });
  await pool.query(sql.unsafe`update refunds set status = 'succeeded' where id = ${back}`);
  await matchDifferences(pool, epoch);
  expect(await open()).toEqual([]);
});

test('a charge whose call is in doubt in the copy is not a difference: its workflow looks it up', async () => {
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, id);
  await compare({ charges: [charge(paymentId)] });
  expect(await open()).toEqual([paymentId]);
  await pool.query(sql.unsafe`update payments set call_started_at = service_clock() where id = ${paymentId}`);
  await pool.query(sql.unsafe`delete from restore_findings where reference = ${paymentId}`);
  await compare({ charges: [charge(paymentId)] });
  expect(await stateOf(paymentId)).toBeNull();
});

test('a charge for the end of a pause in the lost interval is attributed to its subscription', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  await pool.query(sql.unsafe`
    update subscriptions set status = 'paused', resumes_at = date_trunc('milliseconds', service_clock())
    where id = ${subscriptionId}`);
  const reference = await pool.oneFirst(text`
    select period_payment_id(id, resumes_at, 1) as text from subscriptions where id = ${subscriptionId}`);
  expect(await isChargeDue(pool, subscriptionId, reference)).toBe(true);
  await compare({ charges: [{ ...charge(reference), amountCents: 900 }] });
  expect(await findingOf(reference)).toMatchObject({ ownerId: subscriptionId });
});

test('the end of the last billing cycle charges nothing, so a charge made on request is adopted before it', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  await pool.query(sql.unsafe`
    update subscriptions set status = 'past_due', billing_cycles_left = 0, charge_at = null,
      current_period_end = date_trunc('milliseconds', service_clock())
    where id = ${subscriptionId}`);
  expect(await isChargeDue(pool, subscriptionId, `ap_pay_${'0'.repeat(32)}`)).toBe(false);
});

test('a subscription with an immediate cancellation in progress charges nothing more', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  await pool.query(sql.unsafe`
    update subscriptions set status = 'past_due', charge_at = service_clock(), cancel_requested_at = service_clock(),
      current_period_end = date_trunc('milliseconds', service_clock())
    where id = ${subscriptionId}`);
  expect(await isChargeDue(pool, subscriptionId, `ap_pay_${'0'.repeat(32)}`)).toBe(false);
});

/** A period is identified by its start, so another instant means another charge. */
test.each<[string, (of: Operation) => Promise<OperationAnswer>]>([
  ['a trial is not ended', (of) => moveTrial(pool, { ...of, endsAt: null })],
  ['a pause is not ended', (of) => resumeSubscription(pool, { ...of, calculatedAt: null })],
])('%s while a charge from the lost interval is listed or may still be found', async (_what, begin) => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.trial);
  if (_what.includes('pause'))
    await pool.query(sql.unsafe`update subscriptions set status = 'paused' where id = ${subscriptionId}`);
  const run = () => begin({ subscriptionId, operationKey: randomUUID() });
  const refusal = { kind: 'refused', reason: 'subscription_charge_pending' };
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = service_clock()`);
  expect(await run()).toEqual(refusal);
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = null`);
  const reference = await pool.oneFirst(text`
    select period_payment_id(${subscriptionId}, date_trunc('milliseconds', service_clock()), 1) as text`);
  await compare({ charges: [{ ...charge(reference), amountCents: 900 }] });
  expect(await run()).toEqual(refusal);
  await pool.query(sql.unsafe`update restore_findings set state = 'settled' where reference = ${reference}`);
  expect(await run()).toMatchObject({ kind: 'done' });
});

test('a charge whose amount differs from its attempt’s is listed with both amounts, and the attempt stays in doubt', async () => {
  const { sessionId, paymentId } = await lostAttempt();
  await compare({ charges: [{ ...charge(paymentId), amountCents: 100 }] });
  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  await matchDifferences(pool, epoch);
  expect(await open()).toEqual([]);
  const [listed] = await listIncidents(pool, { kinds: ['not_in_database'], about: [paymentId] });
  expect(listed?.reason).toBe('the rail reports 1.00 EUR instead of 19.00 EUR');
  const status = await pool.oneFirst(text`select status as text from payments where id = ${paymentId}`);
  expect(status).toBe('processing');
});

test('a subscription whose charge was returned ends when the charge is adopted: its buyer never received it', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const [paymentId, period] = await Promise.all([
    pool.oneFirst(text`
      select p.id as text from payments p join subscriptions s on s.checkout_id = p.checkout_id
      where s.id = ${subscriptionId}`),
    driverOf(pool, subscriptionId, () => APPROVED).view(),
  ]);
  const ordinary = 'ap_ref_of_a_subscription';
  const back = `${paymentId}-return`;
  const of = (reference: string, amountCents: number) => ({
    ...refundOf(paymentId, reference),
    amountCents,
  });
  await compare({ refunds: [of(ordinary, 100), of(back, 800)] });
  expect(await adoptRefund(pool, await findingOf(ordinary))).toEqual({ adopted: true, ended: null });
  expect(period.status).toBe('active');
  expect(await adoptRefund(pool, await findingOf(back))).toEqual({ adopted: true, ended: subscriptionId });
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  expect(await driver.view()).toMatchObject({ status: 'cancelled', openAttempt: null });
});

test('neither a returned charge missing from the copy nor its return needs an operator', async () => {
  const unknown = 'ap_pay_0199b4ab1c7e7001a1f2d3e4f5a6b7c8';
  await compare({ charges: [charge(unknown)], refunds: [refundOf(unknown, `${unknown}-return`)] });
  expect(await listForAPerson(pool, epoch)).toEqual([]);
  expect(await stateOf(unknown)).toBe('settled');
  expect(await stateOf(`${unknown}-return`)).toBe('settled');
});

test.each([
  ['pending', 1_900],
  ['succeeded', 900],
])(
  'a charge missing from the copy is listed if its return is %s with %i cents',
  async (outcome, amountCents) => {
    const unknown = `ap_pay_0199b4ab1c7e7001a1f2d3e4f5a6b${outcome === 'pending' ? 'aaa' : 'bbb'}`;
    const back = { ...refundOf(unknown, `${unknown}-return`, outcome), amountCents };
    await compare({ charges: [charge(unknown)], refunds: [back] });
    expect([...(await listForAPerson(pool, epoch))].sort()).toEqual([unknown, `${unknown}-return`]);
  },
);

test('no webhook is set aside while fenced', async () => {
  const { railAccountId } = shop;
  const reference = 'ap_pay_webhook_of_none';
  await storeRailWebhook(pool, { railAccountId, railEventId: randomUUID(), reference, hint: 'approved' });
  await pool.query(sql.unsafe`
    update rail_webhooks set received_at = service_clock() - interval '1 hour' where reference = ${reference}`);
  const putAside = async () => (await takeUnknownWebhooks(pool)).map((webhook) => webhook.reference);
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = service_clock()`);
  expect(await putAside()).toEqual([]);
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = null`);
  expect(await putAside()).toEqual([reference]);
});

const webhooksAbout = (reference: string) =>
  pool.anyFirst(text`
    select hint as text from rail_webhooks where reference = ${reference} and applied_at is null`);
const paid = async () => (await insertPurchase(pool, shop, shop.products.oneTime)).paymentId;

/** A refund that the comparison has rebuilt. */
async function adoptedRefund(reference: string, outcome: string): Promise<void> {
  await compare({ refunds: [refundOf(await paid(), reference, outcome)] });
  expect(await adoptRefund(pool, await findingOf(reference))).toEqual({ adopted: true, ended: null });
}
const settle = (refundId: string, status: string) =>
  pool.query(sql.unsafe`update refunds set status = ${status} where id = ${refundId}`);

test.each(['succeeded', 'failed'])(
  'the difference about a refund listed as pending is closed once the refund has %s',
  async (to) => {
    const refundId = `ap_ref_pending_${to}`;
    await adoptedRefund(refundId, 'pending');
    await matchDifferences(pool, epoch);
    expect(await open()).toEqual([refundId]);
    await settle(refundId, to);
    expect(await matchDifferences(pool, epoch)).toEqual([]);
    expect(await stateOf(refundId)).toBe('adopted');
    expect(await webhooksAbout(refundId)).toEqual([]);
  },
);

test.each([
  ['failed', 'succeeded', 'refunded'],
  ['succeeded', 'failed', 'refund_failed'],
])(
  'a refund that has %s in the copy but %s at the rail is left to the sweep, like a webhook about it',
  async (here, there, hint) => {
    const refundId = `ap_ref_${here}_here`;
    await adoptedRefund(refundId, 'pending');
    await settle(refundId, here);
    await matchDifferences(pool, epoch);
    await compare({ refunds: [refundOf(await paid(), refundId, there)] });
    expect(await stateOf(refundId)).toBe('adopted');
    expect(await webhooksAbout(refundId)).toEqual([hint]);
  },
);

test('a repeated request derives the same refund, even if the restore has rebuilt its payment', async () => {
  const paymentId = await paid();
  const request = {
    scope: shop,
    operationId: 'op_again',
    of: { paymentId },
    amount: 700,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  };
  const refundId = async (amount: number | null) => {
    const made = await createRefund(pool, { ...request, amount });
    if (typeof made === 'string') throw new Error(made);
    return made.id;
  };
  const loseRefunds = async () => {
    await pool.query(sql.unsafe`delete from refunds where payment_id = ${paymentId}`);
    await pool.query(sql.unsafe`
      update payments set created_at = created_at + interval '20 minutes', refunded_amount = 0
      where id = ${paymentId}`);
  };
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = jsonb_set(capabilities, '{refunds}', 'true') where id = ${shop.railAccountId}`);
  const before = await refundId(700);
  await loseRefunds();
  expect(await refundId(700)).toBe(before);

  await loseRefunds();
  await compare({ refunds: [{ ...refundOf(paymentId, before), amountCents: 700 }] });
  expect(await adoptRefund(pool, await findingOf(before))).toEqual({ adopted: true, ended: null });
  expect([await refundId(700), await refundId(null)]).toEqual([before, before]);
});

test('a listed difference about a return is closed if its charge is an orphaned charge in the copy', async () => {
  const paymentId = await paid();
  const back = `${paymentId}-return`;
  await compare({ refunds: [refundOf(paymentId, back)] });
  expect(await open()).toEqual([back]);
  await pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    values (${paymentId}, ${shop.merchantId}, ${shop.environment}, 1900, 'EUR')`);
  await matchDifferences(pool, epoch);
  expect(await stateOf(back)).toBe('adopted');
});

test('a difference stays open while its attempt is cancelled in the copy but charged at the rail', async () => {
  const { id: sessionId } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, sessionId);
  await compare({ charges: [charge(paymentId)] });
  expect(await open()).toEqual([paymentId]);
  await pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${paymentId}`);
  expect(await matchDifferences(pool, epoch)).toEqual([paymentId]);
  expect(await webhooksAbout(paymentId)).toEqual(['approved']);
});

describe('after a method change in the lost interval, a charge by another account', () => {
  const otherAccount = () => insertRailAccount(pool, { ...shop, status: 'disabled' });

  test.each(['cancelled', 'succeeded'])(
    'is listed if the copy’s payment with its reference (%s) cannot be settled by it',
    async (status) => {
      const { id: sessionId } = await insertSession(pool, shop, shop.products.oneTime);
      const paymentId = await clickAccepted(pool, sessionId);
      await pool.query(sql.unsafe`update payments set status = ${status} where id = ${paymentId}`);
      await compare({ charges: [charge(paymentId)] }, await otherAccount());
      expect(await open()).toEqual([paymentId]);
      expect(await matchDifferences(pool, epoch)).toEqual([]);
      expect(await listForAPerson(pool, epoch)).toEqual([paymentId]);
      expect(await webhooksAbout(paymentId)).toEqual([]);
      await closeAdopted(pool);
      expect(await stateOf(paymentId)).toBe('person');
    },
  );

  /** Loses a dispute about the payment that began the subscription. */
  async function loseDispute(subscriptionId: string): Promise<void> {
    const paymentId = await pool.oneFirst(text`
      select p.id as text from payments p join subscriptions s on s.checkout_id = p.checkout_id
      where s.id = ${subscriptionId}`);
    const { merchantId, environment, railAccountId } = shop;
    const payment = { paymentId, merchantId, environment, railAccountId, railEventIds: [] };
    const lost = await recordDisputes(pool, payment, [
      {
        railDisputeId: 'dp_lost',
        status: 'lost',
        amountCents: 900,
        currency: 'EUR',
        reason: 'fraudulent',
        openedAt: at,
        evidenceDueBy: null,
      },
    ]);
    expect(lost.stopped).toBe(subscriptionId);
  }

  /** A subscription to renew, with the id of the first attempt of its next renewal. */
  async function toRenew(when: 'now' | 'later') {
    const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
    await pool.query(sql.unsafe`
      update subscriptions s set current_period_end = at, next_action_at = at
      from date_trunc('milliseconds', service_clock() + ${when === 'now' ? 0 : 9} * interval '1 day') at
      where s.id = ${subscriptionId}`);
    const reference = await pool.oneFirst(text`
      select period_payment_id(id, current_period_end, 1) as text from subscriptions where id = ${subscriptionId}`);
    return { subscriptionId, reference };
  }
  const attempt = (reference: string) =>
    pool.maybeOne(sql.type(z.object({ accountId: z.string(), called: z.boolean() }))`
      select rail_account_id as "accountId", call_started_at is not null as called
      from payments where id = ${reference}`);

  test('is looked up in that account, not sent, if the renewal was claimed again before the lists were read', async () => {
    const { subscriptionId, reference } = await toRenew('now');
    const driver = driverOf(pool, subscriptionId, () => APPROVED);
    await driver.act('boundary');
    expect(await attempt(reference)).toEqual({ accountId: shop.railAccountId, called: false });
    const accountId = await otherAccount();
    await compare({ charges: [{ ...charge(reference), amountCents: 900 }] }, accountId);
    expect(await attempt(reference)).toEqual({ accountId, called: true });
  });

  test('is looked up and adopted as paid if the renewal was claimed before its subscription lost a dispute', async () => {
    const { subscriptionId, reference } = await toRenew('now');
    const driver = driverOf(pool, subscriptionId, () => APPROVED);
    await driver.act('boundary');
    await loseDispute(subscriptionId);
    expect(await attempt(reference)).toEqual({ accountId: shop.railAccountId, called: false });
    const accountId = await otherAccount();
    await compare({ charges: [{ ...charge(reference), amountCents: 900 }] }, accountId);
    expect(await attempt(reference)).toEqual({ accountId, called: true });
    await driver.turn();
    await matchDifferences(pool, epoch);
    expect(await stateOf(reference)).toBe('adopted');
    expect(await pool.oneFirst(text`select status as text from payments where id = ${reference}`)).toBe(
      'succeeded',
    );
  });

  test('leaves the attempt at its own account if that account lists it as well', async () => {
    const { subscriptionId, reference } = await toRenew('now');
    await driverOf(pool, subscriptionId, () => APPROVED).act('boundary');
    const listed = { charges: [{ ...charge(reference, 'declined'), amountCents: 900 }] };
    await compare(listed);
    await pool.query(sql.unsafe`update payments set call_started_at = null where id = ${reference}`);
    await compare({ charges: [{ ...charge(reference), amountCents: 900 }] }, await otherAccount());
    expect(await attempt(reference)).toMatchObject({ accountId: shop.railAccountId });
  });

  test('is not attributed to the session that its reference names, which belongs to another account', async () => {
    const { paymentId } = await lostAttempt();
    await compare({ charges: [charge(paymentId)] }, await otherAccount());
    expect(await findingOf(paymentId)).toMatchObject({ ownerId: null, waits: false });
  });

  test('is adopted: the subscription claims its attempt on that account', async () => {
    const { subscriptionId, reference } = await toRenew('later');
    const accountId = await otherAccount();
    await compare({ charges: [{ ...charge(reference), amountCents: 900 }] }, accountId);
    await postpone(pool, reference);
    const driver = driverOf(pool, subscriptionId, () => APPROVED);
    const { currentPeriodEnd } = await driver.view();
    await driver.advance(currentPeriodEnd ?? '');
    expect(await attempt(reference)).toMatchObject({ accountId });
    expect(await closeAdopted(pool)).toEqual([]);
    expect(await stateOf(reference)).toBe('adopted');
  });
});

describe('an attempt that the lost copy may have sent to the rail', () => {
  afterEach(() => pool.query(sql.unsafe`delete from rail_breakers`));

  /** A renewal claimed now, at the beginning of its period. */
  async function renewal(isListed: boolean) {
    const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
    await pool.query(sql.unsafe`
      update subscriptions s set current_period_end = at, next_action_at = at
      from date_trunc('milliseconds', service_clock()) at where s.id = ${subscriptionId}`);
    const reference = await pool.oneFirst(text`
      select period_payment_id(id, current_period_end, 1) as text from subscriptions where id = ${subscriptionId}`);
    await compare({ charges: isListed ? [{ ...charge(reference), amountCents: 900 }] : [] });
    if (isListed) await postpone(pool, reference);
    await driverOf(pool, subscriptionId, () => APPROVED).act('boundary');
    return reference;
  }

  test('is claimed with the mark of its call if its account’s list contains it', async () => {
    expect(await beginChargeStored(pool, await renewal(true), 10)).toBeNull();
    expect(await beginChargeStored(pool, await renewal(false), 10)).not.toBeNull();
  });

  test('is claimed with the mark of its call, and its account paused, if the account cannot be compared', async () => {
    const before = await renewal(false);
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      update rail_accounts set capabilities = jsonb_set(capabilities, '{refunds}', 'true')`);
    await storeRefusal(pool, epoch, { rail_account_id: shop.railAccountId }, 'account_refused');
    expect(await beginChargeStored(pool, before, 10)).toBeNull();
    const account = {
      id: shop.railAccountId,
      rail: 'sandbox',
      environment: 'sandbox',
      status: 'active',
    } as const;
    expect(await admitAttempt(pool, account)).toMatchObject({ refusedForSeconds: 300 });
    expect((await listIncidents(pool)).find(({ kind }) => kind === 'rail_unavailable')?.reason).toContain(
      'not compared after a restore: account_refused',
    );
    const refund = () =>
      createRefund(pool, {
        scope: { merchantId: shop.merchantId, environment: 'sandbox' },
        operationId: randomUUID(),
        of: { paymentId },
        amount: 100,
        currency: null,
        reason: null,
        railNames: ['sandbox'],
      });
    await expect(refund()).rejects.toThrow('has not been compared');
    await pool.query(sql.unsafe`delete from rail_breakers`);
    await refund();
  });
});

test('a charge that is not due yet is listed until its subscription has adopted it', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  await pool.query(sql.unsafe`
    update subscriptions set current_period_end = date_trunc('milliseconds', current_period_end)
    where id = ${subscriptionId}`);
  const reference = await pool.oneFirst(text`
    select period_payment_id(id, current_period_end, 1) as text from subscriptions where id = ${subscriptionId}`);
  await compare({ charges: [{ ...charge(reference), amountCents: 900 }] });
  await postpone(pool, reference);
  expect(await closeAdopted(pool)).toEqual([]);
  expect((await listIncidents(pool)).map(({ id }) => id)).toContain(reference);

  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  await driver.advance((await driver.view()).currentPeriodEnd ?? '');
  expect(await closeAdopted(pool)).toEqual([]);
  expect(await stateOf(reference)).toBe('adopted');
});

test('a charge made on request before the next retry is adopted immediately, and pays the subscription’s invoice', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const { currentPeriodEnd } = await driverOf(pool, subscriptionId, () => APPROVED).view();
  await driverOf(pool, subscriptionId, () => DECLINED).advance(currentPeriodEnd ?? '');
  const next = (attempt: number) =>
    pool.oneFirst(text`
      select period_payment_id(subscription_id, period_start, ${attempt}) as text from invoices
      where subscription_id = ${subscriptionId} and status = 'payment_failed'`);
  const reference = await next(2);
  expect(await adoptRequestedCharge(pool, subscriptionId, await next(3))).toBe(false);
  await compare({ charges: [{ ...charge(reference), amountCents: 900 }] });
  expect(await adoptRequestedCharge(pool, subscriptionId, reference)).toBe(true);
  expect(await adoptRequestedCharge(pool, subscriptionId, reference)).toBe(false);
  await matchDifferences(pool, epoch);
  expect(await beginChargeStored(pool, reference, 10)).toBeNull();
  const paid = await driverOf(pool, subscriptionId, () => APPROVED).run();
  expect(paid).toMatchObject({ status: 'active', openAttempt: null });
  await matchDifferences(pool, epoch);
  expect(await open()).toEqual([]);
});

test('an attempt whose successor is at the rail is looked up, not sent, whenever it is claimed', async () => {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  await pool.query(sql.unsafe`
    update subscriptions s set current_period_end = at, next_action_at = at
    from date_trunc('milliseconds', service_clock()) at where s.id = ${subscriptionId}`);
  const [first, second, third] = await Promise.all(
    [1, 2, 3].map((attempt) =>
      pool.oneFirst(text`
        select period_payment_id(id, current_period_end, ${attempt}) as text
        from subscriptions where id = ${subscriptionId}`),
    ),
  );
  const driver = driverOf(pool, subscriptionId, () => DECLINED);
  await driver.act('boundary');
  await compare({ charges: [{ ...charge(third ?? ''), amountCents: 900 }] });
  expect(await findingOf(third ?? '')).toMatchObject({ ownerId: subscriptionId });
  expect(await beginChargeStored(pool, first ?? '', 10)).toBeNull();

  expect(await adoptRequestedCharge(pool, subscriptionId, third ?? '')).toBe(false);
  await postpone(pool, third ?? '');
  await driver.turn();
  await pool.query(
    sql.unsafe`update subscriptions set charge_at = service_clock() where id = ${subscriptionId}`,
  );
  await driver.act('charge');
  expect((await driver.view()).openAttempt).toMatchObject({ attemptId: second });
  expect(await beginChargeStored(pool, second ?? '', 10)).toBeNull();
});

test('a charge for a different amount, such as after a lost plan change, stays listed once its attempt is settled', async () => {
  const { id: sessionId } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, sessionId);
  await compare({ charges: [{ ...charge(paymentId), amountCents: 2_900 }] });
  expect(await stateOf(paymentId)).toBe('person');
  await answer(pool, sessionId, paymentId, APPROVED);
  await closeAdopted(pool);
  expect(await listIncidents(pool)).toContainEqual(
    expect.objectContaining({ kind: 'not_in_database', id: paymentId, amount: 2_900 }),
  );
});
