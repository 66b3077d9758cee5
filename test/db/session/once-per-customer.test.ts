import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { eraseCustomer } from '../../../db/operations/erase-customer.ts';
import type { NewSession } from '../../../db/session/create-session.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { chooseTarget } from '../../../db/subscription/change-target.ts';
import { lockSubscription } from '../../../db/subscription/core/subscription-row.ts';
import { previewChange } from '../../../db/subscription/preview-change.ts';
import { cancelChange, scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { eventually } from '../../support/core/eventually.ts';
import { APPROVED, answer, click, clickAccepted, DECLINED, UNKNOWN } from '../../support/db/attempts.ts';
import {
  insertProduct,
  insertRailAccount,
  insertSession,
  insertShop,
  type ProductValues,
  RECURRING,
  type Shop,
} from '../../support/db/fixtures.ts';
import { holdLock } from '../../support/db/hold-lock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertOffering } from '../../support/db/subscriptions.ts';

const unique = () => randomBytes(6).toString('hex');

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

const customer = () => `customer-${unique()}`;
const emailOf = (name: string) => `${name}@example.org`;

function product(values: Partial<ProductValues>, of = shop): Promise<string> {
  const { merchantId } = of;
  return insertProduct(pool, { merchantId, price: RECURRING, ...values }).then(({ productId }) => productId);
}

/** Puts products into one offering. */
async function offer(...productIds: string[]): Promise<string> {
  const offeringId = await insertOffering(pool, shop.merchantId);
  for (const id of productIds)
    await pool.query(sql.unsafe`update products set offering_id = ${offeringId} where id = ${id}`);
  return offeringId;
}

async function sessionOf(productId: string, externalCustomerId: string | null, values = {}, of = shop) {
  return (await insertSession(pool, of, productId, { externalCustomerId, ...values })).id;
}

/** Buys the product; @returns the subscription's id */
async function buy(productId: string, externalCustomerId: string | null, clicked = {}, of = shop) {
  const checkoutId = await sessionOf(productId, externalCustomerId, {}, of);
  const paymentId = await clickAccepted(pool, checkoutId, { email: null, ...clicked });
  await answer(pool, checkoutId, paymentId, APPROVED);
  const id = z.object({ id: z.string() });
  return pool.oneFirst(sql.type(id)`select id from subscriptions where checkout_id = ${checkoutId}`);
}

const cancelNow = (id: string) =>
  pool.query(
    sql.unsafe`update subscriptions set status = 'cancelled', cancelled_at = service_clock() where id = ${id}`,
  );

const terms = z.object({ amount: z.number(), trial: z.number().nullable(), used: z.boolean() });
const termsOf = (checkoutId: string) =>
  pool.one(sql.type(terms)`
    select amount, (terms #>> '{price,recurring,trial_period_days}')::int as trial,
      coalesce((terms #>> '{price,recurring,trial_used}')::bool, false) as used
    from checkouts where id = ${checkoutId}`);
const TRIAL = { amount: 0, trial: 14, used: false };
const PRICE = { amount: 900, trial: null, used: true };

const waiting = sql.type(z.object({ count: z.number() }))`
  select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** Two clicks that cannot write until both have begun. */
async function atTheSameInstant([first, second]: readonly [string, string], values: object = {}) {
  const release = await holdLock(
    pool,
    sql.fragment`customers where id in (select customer_id from checkouts where id in (${first}, ${second}))`,
  );
  const clicks = [first, second].map((checkoutId) =>
    click(pool, checkoutId, { email: emailOf(unique()), ...values }),
  );
  await eventually(async () => expect(await pool.oneFirst(waiting)).toBe(2));
  await release();
  return Promise.all(clicks);
}

describe('a product with one subscription per customer', () => {
  let only: string;
  beforeAll(async () => {
    only = await product({ oneSubscriptionPerCustomer: true });
  });
  const refuses = (values: Partial<NewSession>) =>
    expect(insertSession(pool, shop, only, values)).rejects.toThrow('subscription_exists');

  test('is not sold to a customer with a subscription of it in any chargeable status', async () => {
    const externalCustomerId = customer();
    const id = await buy(only, externalCustomerId);
    for (const status of ['active', 'trialing', 'past_due', 'paused']) {
      await pool.query(sql.unsafe`update subscriptions set status = ${status} where id = ${id}`);
      await refuses({ externalCustomerId });
    }
    await sessionOf(only, customer());
    await cancelNow(id);
    await sessionOf(only, externalCustomerId);
  });

  test('counts other plans of its offering, but not products outside it', async () => {
    const [monthly, yearly] = [await product({ oneSubscriptionPerCustomer: true }), await product({})];
    await offer(monthly, yearly);
    const externalCustomerId = customer();
    await buy(yearly, externalCustomerId);
    await expect(insertSession(pool, shop, monthly, { externalCustomerId })).rejects.toThrow(
      'subscription_exists',
    );
    await sessionOf(yearly, externalCustomerId);
    await sessionOf(only, externalCustomerId);
  });

  test('does not count a subscription that was never paid', async () => {
    const externalCustomerId = customer();
    const first = await sessionOf(only, externalCustomerId);
    const paymentId = await clickAccepted(pool, first);
    await answer(pool, first, paymentId, DECLINED);
    await clickAccepted(pool, await sessionOf(only, externalCustomerId));
  });

  test('refuses the second of two open sessions at the click, even while the first session is in doubt', async () => {
    const externalCustomerId = customer();
    const [first, second] = [
      await sessionOf(only, externalCustomerId),
      await sessionOf(only, externalCustomerId),
    ];
    const paymentId = await clickAccepted(pool, first);
    const refused = { kind: 'refused', reason: 'subscription_exists' };
    expect(await click(pool, second)).toEqual(refused);
    await answer(pool, first, paymentId, UNKNOWN, { lookupTimeUp: true });
    expect(await click(pool, second)).toEqual(refused);
    await answer(pool, first, paymentId, APPROVED);
    expect(await click(pool, second)).toEqual(refused);
  });

  describe('as the target of a change of another subscription', () => {
    const change = (subscriptionId: string, targetPlanId: string, targetOfferingId: string) => ({
      ...{ subscriptionId, operationKey: randomUUID(), type: 'offering_change' as const },
      ...{ targetPlanId, targetOfferingId, calculatedAt: null },
    });
    const exists = { kind: 'refused', reason: 'subscription_exists' };

    test('is refused while the customer has a subscription of it or is paying for it', async () => {
      const [target, other] = [await product({ oneSubscriptionPerCustomer: true }), await product({})];
      const offering = await offer(target);
      const externalCustomerId = customer();
      const moving = await buy(other, externalCustomerId);
      const checkoutId = await sessionOf(target, externalCustomerId);
      const paymentId = await clickAccepted(pool, checkoutId);
      const wanted = change(moving, target, offering);
      expect(await scheduleChange(pool, wanted)).toEqual(exists);
      await answer(pool, checkoutId, paymentId, APPROVED);
      expect(await scheduleChange(pool, change(moving, target, offering))).toEqual(exists);
      expect(await changePlanNow(pool, change(moving, target, offering))).toEqual(exists);
      for (const effective of ['now', 'period_end'] as const)
        expect(await previewChange(pool, { ...wanted, effective, calculatedAt: null })).toEqual(exists);
    });

    test('blocks its purchase and another such change until the change is withdrawn', async () => {
      const [target, other] = [await product({ oneSubscriptionPerCustomer: true }), await product({})];
      const offering = await offer(target);
      const externalCustomerId = customer();
      const [moving, second] = [await buy(other, externalCustomerId), await buy(other, externalCustomerId)];
      const open = await sessionOf(target, externalCustomerId);
      const scheduled = await scheduleChange(pool, change(moving, target, offering));
      if (scheduled.kind !== 'done') throw new Error(scheduled.reason);
      expect(await click(pool, open)).toMatchObject(exists);
      expect(await scheduleChange(pool, change(second, target, offering))).toEqual(exists);
      await expect(insertSession(pool, shop, target, { externalCustomerId })).rejects.toThrow(
        'subscription_exists',
      );
      const changeId = scheduled.changeId ?? '';
      await cancelChange(pool, { subscriptionId: moving, operationKey: randomUUID(), changeId });
      await clickAccepted(pool, open);
    });

    test('makes a concurrent click wait for the decision', async () => {
      const [target, other] = [await product({ oneSubscriptionPerCustomer: true }), await product({})];
      const offering = await offer(target);
      const externalCustomerId = customer();
      const moving = await buy(other, externalCustomerId);
      const open = await sessionOf(target, externalCustomerId);
      const [checked, decided] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const deciding = pool.transaction(async (tx) => {
        const subscription = await lockSubscription(tx, moving);
        const chosen = await chooseTarget(tx, subscription, change(moving, target, offering));
        expect(chosen).toMatchObject({ plan_id: target });
        checked.resolve();
        await decided.promise;
      });
      await checked.promise;
      const clicked = click(pool, open);
      await eventually(async () => expect(await pool.oneFirst(waiting)).toBe(1));
      decided.resolve();
      await deciding;
      expect((await clicked).kind).toBe('claimed');
    });
  });

  test('begins one subscription for two simultaneous clicks', async () => {
    const externalCustomerId = customer();
    const [first, second] = [
      await sessionOf(only, externalCustomerId),
      await sessionOf(only, externalCustomerId),
    ];
    const answers = await atTheSameInstant([first, second]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', 'refused']);
  });
});

describe('a product with one trial per customer', () => {
  let trial: string;
  beforeAll(async () => {
    trial = await product({ oneTrialPerCustomer: true, price: { ...RECURRING, trialPeriodDays: 14 } });
  });

  test('charges its price to a customer who has had the trial, even if the trial was cancelled', async () => {
    const externalCustomerId = customer();
    await cancelNow(await buy(trial, externalCustomerId));
    const checkoutId = await sessionOf(trial, externalCustomerId);
    expect(await termsOf(checkoutId)).toEqual(PRICE);
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, APPROVED);
    const begun = z.object({ status: z.string(), trial_start: z.null(), charged: z.number() });
    expect(
      await pool.one(sql.type(begun)`
        select s.status, s.trial_start, p.amount as charged
        from subscriptions s join payments p on p.checkout_id = s.checkout_id where s.checkout_id = ${checkoutId}`),
    ).toEqual({ status: 'active', trial_start: null, charged: 900 });
    expect(await termsOf(await sessionOf(trial, customer()))).toEqual(TRIAL);
  });

  test('counts a trial of another plan in its offering, but not of a product outside it', async () => {
    const price = { ...RECURRING, trialPeriodDays: 14 };
    const [monthly, yearly, other] = [
      await product({ oneTrialPerCustomer: true, price }),
      await product({ price }),
      await product({ oneTrialPerCustomer: true, price }),
    ];
    await offer(monthly, yearly);
    const externalCustomerId = customer();
    await buy(yearly, externalCustomerId);
    expect(await termsOf(await sessionOf(monthly, externalCustomerId))).toEqual(PRICE);
    expect(await termsOf(await sessionOf(other, externalCustomerId))).toEqual(TRIAL);
    expect(await termsOf(await sessionOf(yearly, externalCustomerId))).toEqual(TRIAL);
  });

  test('does not count the trial of a product from which a change into its offering is scheduled', async () => {
    const price = { ...RECURRING, trialPeriodDays: 14 };
    const target = await product({ oneTrialPerCustomer: true, price });
    const targetOfferingId = await offer(target);
    const externalCustomerId = customer();
    const subscriptionId = await buy(await product({ price }), externalCustomerId);
    const open = await sessionOf(target, externalCustomerId);
    const change = {
      type: 'offering_change' as const,
      targetPlanId: target,
      targetOfferingId,
      calculatedAt: null,
    };
    const scheduled = await scheduleChange(pool, { subscriptionId, operationKey: randomUUID(), ...change });
    expect(scheduled.kind).toBe('done');
    expect(await termsOf(await sessionOf(target, externalCustomerId))).toEqual(TRIAL);
    await clickAccepted(pool, open, { amount: 0 });
  });

  test('counts its trial after the subscription has changed to a plan of another offering', async () => {
    const target = await product({});
    const externalCustomerId = customer();
    const opened = await sessionOf(trial, externalCustomerId);
    const subscriptionId = await buy(trial, externalCustomerId);
    await pool.query(sql.unsafe`
      update subscriptions set product_id = ${target}, offering_id = ${await offer(target)}, status = 'cancelled',
        cancelled_at = service_clock() where id = ${subscriptionId}`);
    expect(await termsOf(await sessionOf(trial, externalCustomerId))).toEqual(PRICE);
    expect(await click(pool, opened)).toEqual({ kind: 'refused', reason: 'terms_changed' });
  });

  test('does not count a trial that never began', async () => {
    const externalCustomerId = customer();
    const card = Buffer.from(unique());
    const first = await sessionOf(trial, externalCustomerId);
    await answer(pool, first, await clickAccepted(pool, first, { card, email: null }), DECLINED);
    const second = await sessionOf(trial, externalCustomerId);
    expect(await termsOf(second)).toEqual(TRIAL);
    await clickAccepted(pool, second, { card, email: null });
  });

  test('recognises a buyer by a confirmed email: the first click is refused, and the next one charges the price', async () => {
    const name = unique();
    await buy(trial, null, { email: emailOf(name) });
    const checkoutId = await sessionOf(trial, null);
    expect(await termsOf(checkoutId)).toEqual(TRIAL);
    expect(await click(pool, checkoutId, { email: emailOf(name).toUpperCase(), amount: 0 })).toEqual({
      kind: 'refused',
      reason: 'terms_changed',
    });
    expect(await termsOf(checkoutId)).toEqual(PRICE);
    // A tab that has not seen the new terms.
    expect(await click(pool, checkoutId, { email: emailOf(name), amount: 0 })).toMatchObject({
      reason: 'terms_changed',
    });
    const paymentId = await clickAccepted(pool, checkoutId, { email: emailOf(name), amount: 900 });
    const amount = z.object({ amount: z.number() });
    expect(await pool.oneFirst(sql.type(amount)`select amount from payments where id = ${paymentId}`)).toBe(
      900,
    );
  });

  test("recognises a buyer by the merchant's email if a buyer has confirmed it before", async () => {
    const email = emailOf(unique());
    const buyer = { email, party: null };
    expect(await termsOf(await sessionOf(trial, null, { buyer }))).toEqual(TRIAL);
    await buy(trial, null, { email });
    expect(await termsOf(await sessionOf(trial, null, { buyer }))).toEqual(PRICE);
  });

  test('does not recognise a buyer by an email that only the merchant has provided', async () => {
    const email = emailOf(unique());
    const id = await buy(trial, null, { email });
    await pool.query(sql.unsafe`
      update customers set email_confirmed_at = null where id = (select customer_id from subscriptions where id = ${id})`);
    await clickAccepted(pool, await sessionOf(trial, null), { email });
  });

  test('recognises a buyer by the card alone', async () => {
    const card = Buffer.from(unique());
    await buy(trial, customer(), { card });
    const checkoutId = await sessionOf(trial, customer());
    expect(await click(pool, checkoutId, { email: null, card })).toMatchObject({ reason: 'terms_changed' });
    expect(await termsOf(checkoutId)).toEqual(PRICE);
  });

  test("no longer recognises the card once the customer's data is erased", async () => {
    const card = Buffer.from(unique());
    const id = await buy(trial, null, { card });
    await cancelNow(id);
    const own = sql.type(z.object({ customer_id: z.string() }))`
      select customer_id from subscriptions where id = ${id}`;
    await eraseCustomer(pool, await pool.oneFirst(own), { actor: 'operator:ada', reason: 'request 17' });
    await clickAccepted(pool, await sessionOf(trial, null), { card, email: null });
  });

  test('does not recognise a buyer of another merchant or environment', async () => {
    const production = { ...shop, environment: 'production' as const };
    await insertRailAccount(pool, production);
    const other = await insertShop(pool);
    const price = { ...RECURRING, trialPeriodDays: 14 };
    const elsewhere = await product({ oneTrialPerCustomer: true, price }, other);
    const card = randomBytes(8);
    const externalCustomerId = customer();
    const email = emailOf(externalCustomerId);
    await buy(trial, externalCustomerId, { email, card });
    for (const [productId, of] of [
      [trial, production],
      [elsewhere, other],
    ] as const) {
      const checkoutId = await sessionOf(productId, externalCustomerId, {}, of);
      expect(await termsOf(checkoutId)).toEqual(TRIAL);
      await clickAccepted(pool, checkoutId, { email, card });
    }
  });

  test('begins one trial for two simultaneous clicks with the same card; the other buyer may click again', async () => {
    const card = Buffer.from(unique());
    const [first, second] = [await sessionOf(trial, customer()), await sessionOf(trial, customer())];
    const answers = await atTheSameInstant([first, second], { card });
    const isFirst = answers[0]?.kind === 'claimed';
    const [begun, refused] = isFirst ? answers : answers.toReversed();
    expect(refused).toMatchObject({ reason: 'trial_under_way' });
    const [paid, waiting] = isFirst ? [first, second] : [second, first];
    expect(await termsOf(waiting)).toEqual(TRIAL);
    if (begun?.kind !== 'claimed') throw new Error('expected one click to begin the trial');
    await answer(pool, paid, begun.attemptId, DECLINED);
    await clickAccepted(pool, waiting, { card, email: null });
  });
});

test('a click never charges an amount other than the one shown on the page', async () => {
  const checkoutId = await sessionOf(shop.products.oneTime, customer());
  expect(await click(pool, checkoutId, { amount: 1_899 })).toMatchObject({ reason: 'terms_changed' });
  await clickAccepted(pool, checkoutId, { amount: 1_900 });
});
