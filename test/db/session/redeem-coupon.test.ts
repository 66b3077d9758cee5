/** Coupons at the claim: their deductions, and their limits under concurrent clicks. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { listCoupons, stopCoupon } from '../../../db/catalogue/coupons.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { insertManualPayment } from '../../../db/payment/manual-payments.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { lockSession } from '../../../db/session/core/session-row.ts';
import { findSessionDetails } from '../../../db/session/read/session-details.ts';
import { redeem } from '../../../db/session/redeem-coupon.ts';
import { eventually } from '../../support/core/eventually.ts';
import { APPROVED, answer, click, clickAccepted, DECLINED } from '../../support/db/attempts.ts';
import { giveCoupon, insertCoupon } from '../../support/db/coupons.ts';
import { insertProduct, insertSession, insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { holdLock } from '../../support/db/hold-lock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

/** The price of the product. */
const PRICE = 1_900;
const newCoupon = (fields: object = {}) => insertCoupon(pool, shop, fields);

async function sessionWith({ code }: { readonly code: string }, values = {}): Promise<string> {
  const { id } = await insertSession(pool, shop, shop.products.oneTime, values);
  const amount = await giveCoupon(pool, id, code);
  if (typeof amount === 'string') throw new Error(amount);
  return id;
}
const unusedEmail = () => `${randomUUID()}@example.eu`;
const detailsOf = (checkoutId: string) => findSessionDetails(pool, shop, checkoutId);

const REFUSED = { kind: 'refused', reason: 'terms_changed' };

const purchase = z.object({
  charged: z.number(),
  ordered: z.number(),
  invoiced: z.number().nullable(),
  lines: z.array(z.object({ description: z.string(), amount: z.number(), tax_amount: z.number() })),
});
const purchaseOf = (checkoutId: string) =>
  pool.one(sql.type(purchase)`
    select p.amount as charged, o.amount as ordered, i.amount as invoiced, coalesce(i.line_items, o.line_items) as lines
    from payments p join orders o on o.payment_id = p.id left join invoices i on i.order_id = o.id
    where p.checkout_id = ${checkoutId} and p.status in ('processing', 'succeeded')`);

test('a coupon reduces session, charge and invoice, and is a separate invoice line', async () => {
  const coupon = await newCoupon({ percent: 15 });
  const checkoutId = await sessionWith(coupon);
  const off = 285;
  expect(await detailsOf(checkoutId)).toMatchObject({
    amount: PRICE - off,
    coupon: { id: coupon.id, code: coupon.code, discount: off },
  });
  await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), APPROVED);
  const { lines, ...sums } = await purchaseOf(checkoutId);
  expect(sums).toEqual({ charged: PRICE - off, ordered: PRICE - off, invoiced: PRICE - off });
  expect(lines).toEqual([
    expect.objectContaining({ description: 'Filterkaffee, 1 kg', amount: PRICE, tax_amount: 303 }),
    expect.objectContaining({ description: coupon.code, amount: -off, tax_amount: -45 }),
  ]);
});

test('a coupon applies to the quantity that the buyer chooses', async () => {
  const { merchantId } = shop;
  const quantity = { min: 1, max: 9 };
  const { productId } = await insertProduct(pool, { merchantId, quantity, price: { amount: 333 } });
  const { code } = await newCoupon({ percent: 50 });
  const { id } = await insertSession(pool, shop, productId);
  expect(await giveCoupon(pool, id, code)).toBe(166);
  await clickAccepted(pool, id, { quantity: 3, amount: 499 });
  expect(await purchaseOf(id)).toMatchObject({ charged: 499, ordered: 499 });
});

test('the list counts redemptions by sessions that are paid or being paid, not by open or declined sessions', async () => {
  const coupon = await newCoupon();
  const redemptions = async () =>
    (await listCoupons(pool, shop, { after: null, limit: 100 })).find(({ id }) => id === coupon.id)
      ?.redemptions;
  await sessionWith(coupon);
  expect(await redemptions()).toBe(0);
  const [paid, declined] = [await sessionWith(coupon), await sessionWith(coupon)];
  await answer(pool, paid, await clickAccepted(pool, paid), APPROVED);
  const attempt = await clickAccepted(pool, declined);
  expect(await redemptions()).toBe(2);
  await answer(pool, declined, attempt, DECLINED);
  expect(await redemptions()).toBe(1);
});

test('only one of two simultaneous buyers gets the last redemption', async () => {
  for (let round = 0; round < 5; round++) {
    const coupon = await newCoupon({ max_redemptions: 1 });
    const sessions = [await sessionWith(coupon), await sessionWith(coupon)];
    const answers = await Promise.all(sessions.map((id) => click(pool, id)));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', 'refused']);
  }
});

test('a declined attempt frees the redemption for another buyer', async () => {
  const coupon = await newCoupon({ max_redemptions: 1 });
  const [first, second, third] = [
    await sessionWith(coupon),
    await sessionWith(coupon),
    await sessionWith(coupon),
  ];
  const paymentId = await clickAccepted(pool, first);
  expect(await click(pool, second)).toMatchObject(REFUSED);
  await answer(pool, first, paymentId, DECLINED);
  expect(await click(pool, third)).toMatchObject({ kind: 'claimed' });
  expect(await click(pool, first)).toMatchObject(REFUSED);
});

test('a customer can use a coupon up to its per-customer limit, and other customers still can', async () => {
  const coupon = await newCoupon({ max_per_customer: 1 });
  const ours = { externalCustomerId: 'customer-of-coupon' };
  const sessions = [await sessionWith(coupon, ours), await sessionWith(coupon, ours)] as const;
  expect(await click(pool, sessions[0])).toMatchObject({ kind: 'claimed' });
  expect(await click(pool, sessions[1])).toMatchObject(REFUSED);
  const email = unusedEmail();
  expect(await click(pool, await sessionWith(coupon), { email })).toMatchObject({ kind: 'claimed' });
});

test.each([
  ['max_per_customer', { max_per_customer: 1 }],
  ['first_purchase_only', { first_purchase_only: true }],
])(
  'a coupon with %s counts the purchases of all customers with the same confirmed email',
  async (_, fields) => {
    const coupon = await newCoupon(fields);
    const [first, second] = [await sessionWith(coupon), await sessionWith(coupon)];
    const email = unusedEmail();
    await answer(pool, first, await clickAccepted(pool, first, { email }), APPROVED);
    expect(await click(pool, second, { email: email.toUpperCase() })).toMatchObject(REFUSED);
    expect(await detailsOf(second)).toMatchObject({ amount: PRICE, coupon: null });
    const buyer = { email, party: null };
    const { id } = await insertSession(pool, shop, shop.products.oneTime, { buyer });
    expect(await giveCoupon(pool, id, coupon.code, email)).toBe('coupon_not_redeemable');
    const third = await sessionWith(coupon);
    expect(await click(pool, third, { email: unusedEmail() })).toMatchObject({ kind: 'claimed' });
  },
);

test('two tabs with the same email redeem a once-per-customer coupon only once', async () => {
  for (let round = 0; round < 5; round++) {
    const coupon = await newCoupon({ max_per_customer: 1 });
    const sessions = [await sessionWith(coupon), await sessionWith(coupon)];
    const email = unusedEmail();
    const answers = await Promise.all(sessions.map((id) => click(pool, id, { email })));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', 'refused']);
  }
});

test('a first-purchase coupon is refused to a customer who has paid or is paying', async () => {
  const coupon = await newCoupon({ first_purchase_only: true });
  const ours = { externalCustomerId: 'customer-with-two-tabs' };
  const sessions = [await sessionWith(coupon, ours), await sessionWith(coupon, ours)] as const;
  const answers = await Promise.all(sessions.map((id) => click(pool, id, { email: null })));
  expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', 'refused']);
  const { id } = await insertSession(pool, shop, shop.products.oneTime, ours);
  expect(await giveCoupon(pool, id, coupon.code)).toBe('coupon_not_redeemable');
});

test('a manual charge, which moves no money, does not count as a first purchase', async () => {
  const coupon = await newCoupon({ first_purchase_only: true });
  const ours = { externalCustomerId: 'customer-with-a-note' };
  const { id: declined } = await insertSession(pool, shop, shop.products.oneTime, ours);
  const clicked = await click(pool, declined, { email: null });
  await answer(pool, declined, clicked.kind === 'claimed' ? clicked.attemptId : '', DECLINED);
  const orderId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from orders where checkout_id = ${declined}`);
  await insertManualPayment(pool, { scope: shop, operationId: randomUUID(), target: { orderId } });
  const { id } = await insertSession(pool, shop, shop.products.oneTime, ours);
  expect(await giveCoupon(pool, id, coupon.code)).not.toBe('coupon_not_redeemable');
});

test('a first-purchase coupon is refused to a customer whose imported subscription has ended', async () => {
  const coupon = await newCoupon({ first_purchase_only: true });
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  // An imported subscription has no payment here before its first renewal.
  await pool.query(sql.unsafe`
    with ended as (update subscriptions set status = 'cancelled' where id = ${subscriptionId} returning customer_id)
    update payments set status = 'failed' where customer_id in (select customer_id from ended)`);
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  await pool.query(sql.unsafe`
    update checkouts set customer_id = (select customer_id from subscriptions where id = ${subscriptionId})
    where id = ${id}`);
  expect(await giveCoupon(pool, id, coupon.code)).toBe('coupon_not_redeemable');
});

test('a customer can use only one of two first-purchase coupons, even with simultaneous clicks', async () => {
  const ours = { externalCustomerId: 'customer-with-two-codes' };
  const sessionsOfTwo = async () => {
    const fields = { percent: 100, first_purchase_only: true };
    return [await freeSession(fields), await freeSession(fields)] as const;
  };
  const freeSession = async (fields: object) => {
    const { id } = await insertSession(pool, shop, shop.products.recurring, ours);
    expect(await giveCoupon(pool, id, (await newCoupon(fields)).code)).toBe(0);
    return id;
  };
  const [first, second] = await sessionsOfTwo();
  const release = await holdLock(
    pool,
    sql.fragment`customers where id = (select customer_id from checkouts where id = ${first})`,
  );
  const email = unusedEmail();
  const clicks = [click(pool, first, { email }), click(pool, second, { email })];
  const waiting = sql.type(z.object({ count: z.number() }))`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => expect(await pool.oneFirst(waiting)).toBe(2));
  await release();
  const answers = await Promise.all(clicks);
  expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', 'refused']);
  // A free subscription is a purchase.
  const claimed = answers.findIndex(({ kind }) => kind === 'claimed');
  const paid = answers[claimed];
  await answer(
    pool,
    [first, second][claimed] ?? '',
    paid?.kind === 'claimed' ? paid.attemptId : '',
    APPROVED,
  );
  const { id } = await insertSession(pool, shop, shop.products.oneTime, ours);
  const { code } = await newCoupon({ first_purchase_only: true });
  expect(await giveCoupon(pool, id, code)).toBe('coupon_not_redeemable');
});

test.each([
  [{}, 'does not wait'],
  [{ max_redemptions: 9 }, 'waits'],
])('redeeming a coupon with the limits %j %s for a concurrent redemption', async (fields, what) => {
  const coupon = await newCoupon(fields);
  const [first, second] = [await sessionWith(coupon), await sessionWith(coupon)];
  const [redeemed, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const under = pool.transaction(async (tx) => {
    expect(await redeem(tx, await lockSession(tx, first), null, false)).toMatchObject({ id: coupon.id });
    redeemed.resolve();
    await over.promise;
  });
  await redeemed.promise;
  const clicked = click(pool, second);
  const isDone = await Promise.race([clicked.then(() => true), setTimeout(1_500, false)]);
  over.resolve();
  await under;
  expect(isDone).toBe(what === 'does not wait');
  expect(await clicked).toMatchObject({ kind: 'claimed' });
});

test('a coupon that expires or is stopped after the page was opened is refused at the claim', async () => {
  const stopped = await newCoupon();
  const session = await sessionWith(stopped);
  await stopCoupon(pool, shop.merchantId, stopped.id, { actor: 'test' });
  expect(await click(pool, session)).toMatchObject(REFUSED);
  const expiring = await newCoupon();
  const other = await sessionWith(expiring);
  await pool.query(sql.unsafe`update coupons set valid_until = service_clock() where id = ${expiring.id}`);
  expect(await click(pool, other)).toMatchObject(REFUSED);
});

test('a click whose coupon was refused never charges the full price, whoever repeats it', async () => {
  const coupon = await newCoupon();
  const checkoutId = await sessionWith(coupon);
  await stopCoupon(pool, shop.merchantId, coupon.id, { actor: 'test' });
  const claimId = randomUUID();
  expect(await click(pool, checkoutId, { claimId })).toMatchObject(REFUSED);
  expect(await detailsOf(checkoutId)).toMatchObject({ amount: PRICE, coupon: null, state: 'created' });
  // As the activity does when it is retried after a crash.
  expect(await claimAttempt(pool, { checkoutId, claimId })).toMatchObject({ kind: 'refused' });
  // Another tab still shows the reduced amount.
  expect(await click(pool, checkoutId, { amount: 1_520 })).toMatchObject(REFUSED);
  await clickAccepted(pool, checkoutId, { amount: PRICE });
  expect(await purchaseOf(checkoutId)).toMatchObject({ charged: PRICE, ordered: PRICE });
});

test('an attempt that the rail already knows keeps its coupon, even if the coupon is used up', async () => {
  const coupon = await newCoupon({ max_redemptions: 1 });
  const [lost, other] = [await sessionWith(coupon), await sessionWith(coupon)];
  await clickAccepted(pool, other);
  const claimId = randomUUID();
  await pool.query(sql.unsafe`insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, not_after)
    select ${claimId}, merchant_id, environment, id, 'card', service_clock() + interval '1 minute'
    from checkouts where id = ${lost}`);
  const claimed = await claimAttempt(pool, { checkoutId: lost, claimId, isAtRail: true });
  expect(claimed).toMatchObject({ kind: 'claimed' });
  expect(await purchaseOf(lost)).toMatchObject({ charged: 1_520 });
});

test('a buyer who has had the trial pays the price less the coupon, once the page has shown it', async () => {
  const { merchantId } = shop;
  const externalCustomerId = 'customer-after-trial';
  const price = { ...RECURRING, trialPeriodDays: 14 };
  const { productId } = await insertProduct(pool, { merchantId, price, oneTrialPerCustomer: true });
  const { id } = await insertSession(pool, shop, productId, { externalCustomerId });
  expect(await giveCoupon(pool, id, (await newCoupon()).code)).toBe(0);
  await insertSubscription(pool, shop, productId, null, { externalCustomerId });
  expect(await click(pool, id, { amount: 0 })).toMatchObject(REFUSED);
  expect(await detailsOf(id)).toMatchObject({ amount: 720, coupon: { discount: 180 } });
  await clickAccepted(pool, id, { amount: 720 });
  expect(await purchaseOf(id)).toMatchObject({ charged: 720, ordered: 720 });
});

test('a click whose trial was refused stays refused, even if the price is zero too', async () => {
  const { merchantId } = shop;
  const externalCustomerId = 'customer-of-nothing';
  const price = { ...RECURRING, trialPeriodDays: 14 };
  const { productId } = await insertProduct(pool, { merchantId, price, oneTrialPerCustomer: true });
  const { id: checkoutId } = await insertSession(pool, shop, productId, { externalCustomerId });
  expect(await giveCoupon(pool, checkoutId, (await newCoupon({ percent: 100 })).code)).toBe(0);
  await insertSubscription(pool, shop, productId, null, { externalCustomerId });
  const claimId = randomUUID();
  expect(await click(pool, checkoutId, { claimId, amount: 0 })).toMatchObject(REFUSED);
  expect(await claimAttempt(pool, { checkoutId, claimId })).toMatchObject({ kind: 'refused' });
  await clickAccepted(pool, checkoutId, { amount: 0 });
});

test('a one-off purchase reduced to zero is refused, even at the minimum quantity', async () => {
  const { merchantId } = shop;
  const quantity = { min: 1, max: 9 };
  const { productId } = await insertProduct(pool, { merchantId, quantity, price: { amount: 500 } });
  const { id } = await insertSession(pool, shop, productId);
  await pool.query(sql.unsafe`update checkouts set quantity = 2 where id = ${id}`);
  const { code } = await newCoupon({ amount: 500 });
  expect(await giveCoupon(pool, id, code)).toBe('coupon_amount_zero');
  const free = await newCoupon({ percent: 100 });
  expect(await giveCoupon(pool, id, free.code)).toBe('coupon_amount_zero');
  expect(await detailsOf(id)).toMatchObject({ amount: 500, coupon: null });
});

test('the codes of another merchant and of the other environment are unknown', async () => {
  const other = await insertShop(pool);
  const theirs = await insertCoupon(pool, other);
  const live = await insertCoupon(pool, { ...shop, environment: 'production' });
  const { id } = await insertSession(pool, shop, shop.products.oneTime);
  for (const { code } of [theirs, live]) expect(await giveCoupon(pool, id, code)).toBe('coupon_invalid');
});
