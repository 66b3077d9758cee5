import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { stopRenewing } from '../../../db/dispute/stop-renewing.ts';
import { fenceIfRestored, readLedgerCopy } from '../../../db/restore/fence.ts';
import { createMethodChange } from '../../../db/session/method-changes.ts';
import { createPaymentLink } from '../../../db/session/payment-links.ts';
import { advanceSubscription } from '../../../db/subscription/advance-subscription.ts';
import { cancelSubscription, undoCancel } from '../../../db/subscription/cancel-subscription.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { lockSubscription } from '../../../db/subscription/core/subscription-row.ts';
import { moveTrial } from '../../../db/subscription/move-trial.ts';
import { pauseSubscription, resumeSubscription } from '../../../db/subscription/pause-subscription.ts';
import { payInvoice } from '../../../db/subscription/pay-invoice.ts';
import { previewChange, previewPause, previewResume } from '../../../db/subscription/preview-change.ts';
import { findSubscription } from '../../../db/subscription/read/find-subscription.ts';
import { replaceMethod } from '../../../db/subscription/replace-method.ts';
import { resolveSubscription } from '../../../db/subscription/resolve-subscription.ts';
import {
  cancelChange,
  type ScheduleChange,
  scheduleChange,
} from '../../../db/subscription/subscription-changes.ts';
import { announceRunning } from '../../../db/webhook/announce-running.ts';
import {
  createWebhookEndpoint,
  newWebhookEndpointId,
  updateWebhookEndpoint,
} from '../../../db/webhook/webhook-endpoints.ts';
import { boundary } from '../../../domain/core/calendar.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import {
  OPERATION_FACTS,
  type OperationFact,
  refusalIn,
  SUBSCRIPTION_OPERATIONS,
  type SubscriptionOperationName,
} from '../../../domain/subscription/operations.ts';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '../../../domain/subscription/subscription.ts';
import { createPageToken } from '../../../platform/secrets/page-token.ts';
import { APPROVED, DECLINED, UNKNOWN } from '../../support/db/attempts.ts';
import {
  insertPrice,
  insertProduct,
  insertShop,
  RECURRING,
  type Shop,
  testSecretBox,
} from '../../support/db/fixtures.ts';
import { liftFence } from '../../support/db/lift-fence.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  beginAt,
  driverOf,
  eventTypesOf,
  insertNewerInvoice,
  insertOffering,
  insertPendingChange,
  insertPlan,
  insertSubscription,
  invoicesOf,
  LADDER_DAYS,
} from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let offering: string;
let otherOffering: string;
/** Three plans of one offering: 9.00 a month, 19.00 a month, 90.00 a year. */
let basic: string;
let plus: string;
let yearly: string;
let elsewhere: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  const { merchantId } = shop;
  offering = await insertOffering(pool, merchantId);
  otherOffering = await insertOffering(pool, merchantId, 'Tee');
  basic = await insertPlan(pool, merchantId, offering, RECURRING);
  plus = await insertPlan(pool, merchantId, offering, { ...RECURRING, amount: 1_900 });
  yearly = await insertPlan(pool, merchantId, offering, { ...RECURRING, interval: 'year', amount: 9_000 });
  elsewhere = await insertPlan(pool, merchantId, otherOffering, { ...RECURRING, amount: 700 });
});
afterAll(() => database?.close());
// Stops the merchant's clocks, because only two may move at once (rule 37).
beforeEach(() => pool.query(sql.unsafe`update subscription_clocks set target = null`));

async function subscribed(plan = basic, answers: readonly AttemptOutcome[] = []) {
  const subscriptionId = await insertSubscription(pool, shop, plan);
  const queue = [...answers];
  const driver = driverOf(pool, subscriptionId, () => queue.shift() ?? APPROVED);
  const end = (await driver.view()).currentPeriodEnd ?? '';
  const later = (days: number) => new Date(Date.parse(end) + days * 86_400_000).toISOString();
  return { subscriptionId, driver, end, later };
}

const key = () => ({ operationKey: randomUUID() });
const planChange = (
  subscriptionId: string,
  targetPlanId: string,
  values: Partial<Extract<ScheduleChange, { targetPlanId: string }>> = {},
) =>
  scheduleChange(pool, {
    subscriptionId,
    targetPlanId,
    type: 'plan_change',
    targetOfferingId: null,
    calculatedAt: null,
    ...key(),
    ...values,
  });
const cancel = (subscriptionId: string, atPeriodEnd = false, values = {}) =>
  cancelSubscription(pool, { subscriptionId, atPeriodEnd, ...key(), ...values });
const versionOf = (subscriptionId: string) =>
  pool.oneFirst(
    sql.type(
      z.object({ version: z.number() }),
    )`select version from subscriptions where id = ${subscriptionId}`,
  );

describe('a plan change', () => {
  test('takes effect at the end of the period with its plan, price and interval, and keeps the anchor day', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    const answer = await planChange(subscriptionId, yearly);
    expect(answer).toEqual({ kind: 'done', changeId: expect.stringMatching(/^ap_chg_/) });
    expect((await driver.view()).change).toEqual({ type: 'plan_change', effectiveAt: end });
    await driver.advance(later(1));
    expect(await invoicesOf(pool, subscriptionId)).toMatchObject([
      { product_id: basic, amount: 900 },
      { product_id: yearly, amount: 9_000, period_start: end, status: 'created' },
    ]);
    expect((await driver.view()).change).toBeNull();
    const days = (Date.parse((await driver.view()).currentPeriodEnd ?? '') - Date.parse(end)) / 86_400_000;
    expect(days).toBeGreaterThan(364);
  });

  test.each([
    { interval: 'day', intervalCount: 28 },
    { interval: 'week', intervalCount: 4 },
  ] as const)(
    'from $intervalCount × $interval to a monthly plan counts months from the day it takes effect',
    async (every) => {
      const plan = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, ...every });
      const { subscriptionId, driver } = await subscribed(plan);
      await beginAt(pool, subscriptionId, '2045-01-31T09:00:00.000Z');
      await planChange(subscriptionId, plus);
      await driver.advance('2045-04-01T09:00:00.000Z');
      const issued = (await invoicesOf(pool, subscriptionId)).slice(1);
      expect(issued.map(({ product_id, period_end }) => [product_id, period_end])).toEqual([
        [plus, '2045-03-28T09:00:00.000Z'],
        [plus, '2045-04-28T09:00:00.000Z'],
      ]);
    },
  );

  test('requested after a late boundary does not affect periods that have begun', async () => {
    const { subscriptionId, driver } = await subscribed();
    const started = new Date(Date.now() - 71 * 86_400_000).toISOString();
    const [first, second, third] = [1, 2, 3].map((count) => boundary(started, 'month', count));
    await pool.query(sql.unsafe`
      update subscriptions set billing_anchor = ${started}, current_period_start = ${started},
        current_period_end = ${first ?? null}, next_action_at = ${first ?? null}
      where id = ${subscriptionId}`);
    await planChange(subscriptionId, plus);
    expect((await driver.view()).change).toEqual({ type: 'plan_change', effectiveAt: third });
    await driver.run();
    await driver.advance(new Date(Date.parse(third ?? '') + 1).toISOString());
    const issued = (await invoicesOf(pool, subscriptionId)).filter(({ period_start: start }) =>
      [first, second, third].includes(start ?? ''),
    );
    expect(issued).toMatchObject([
      { product_id: basic, amount: 900, period_start: first },
      { product_id: basic, amount: 900, period_start: second },
      { product_id: plus, amount: 1_900, period_start: third },
    ]);
  });

  test('refused while a restore is fenced is evaluated again when repeated under its key', async () => {
    const { subscriptionId } = await subscribed();
    const operation = key();
    await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } });
    const refused = await planChange(subscriptionId, 'ap_prod_none', operation);
    await liftFence(pool, (await readLedgerCopy(pool)).epoch);
    expect(refused).toEqual({ kind: 'refused', reason: 'plan_not_found' });
    expect(await planChange(subscriptionId, plus, operation)).toMatchObject({ kind: 'done' });
  });

  test('keeps the agreed price, whatever happens in the catalogue', async () => {
    const plan = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: 1_500 });
    const { subscriptionId, driver, later } = await subscribed();
    await planChange(subscriptionId, plan);
    await pool.query(sql.unsafe`update prices set status = 'inactive' where product_id = ${plan}`);
    await driver.advance(later(1));
    expect((await invoicesOf(pool, subscriptionId)).at(-1)).toMatchObject({
      product_id: plan,
      amount: 1_500,
    });
  });

  test.each([
    ['in an offering', () => offering],
    ['without an offering', () => null],
    ['that has left its offering', () => offering],
  ])('to the same plan %s moves the subscription to its new price from the next period', async (left, of) => {
    const plan = (await insertProduct(pool, { merchantId: shop.merchantId, price: RECURRING })).productId;
    const put = (id: string | null) =>
      pool.query(sql.unsafe`update products set offering_id = ${id} where id = ${plan}`);
    await put(of());
    const { subscriptionId, driver, later } = await subscribed(plan);
    expect(await planChange(subscriptionId, plan)).toMatchObject({ reason: 'plan_unchanged' });
    await pool.query(sql.unsafe`update prices set status = 'inactive' where product_id = ${plan}`);
    await insertPrice(pool, plan, { ...RECURRING, amount: 1_100, taxRate: 7 });
    if (left === 'that has left its offering') await put(otherOffering);
    expect(await planChange(subscriptionId, plan)).toMatchObject({ kind: 'done' });
    await driver.advance(later(1));
    const row = z.object({ amount: z.number(), offering_id: z.string().nullable() });
    expect(
      await pool.one(
        sql.type(row)`select amount, offering_id from subscriptions where id = ${subscriptionId}`,
      ),
    ).toEqual({ amount: 1_100, offering_id: of() });
    const invoices = await invoicesOf(pool, subscriptionId);
    expect(invoices.map(({ product_id, amount }) => [product_id, amount])).toEqual([
      [plan, 900],
      [plan, 1_100],
    ]);
    expect(await planChange(subscriptionId, plan)).toMatchObject({ reason: 'plan_unchanged' });
  });

  test('to the current plan is refused as an offering change, whatever the price', async () => {
    const plan = await insertPlan(pool, shop.merchantId, offering, RECURRING);
    const { subscriptionId } = await subscribed(plan);
    await pool.query(sql.unsafe`update prices set status = 'inactive' where product_id = ${plan}`);
    await insertPrice(pool, plan, { ...RECURRING, amount: 1_100 });
    const change = { type: 'offering_change', targetOfferingId: otherOffering } as const;
    expect(await planChange(subscriptionId, plan, change)).toMatchObject({ reason: 'plan_unchanged' });
  });

  test('is idempotent under the same key, with the same result', async () => {
    const { subscriptionId } = await subscribed();
    const operation = key();
    const first = await planChange(subscriptionId, plus, operation);
    const version = await versionOf(subscriptionId);
    expect(await planChange(subscriptionId, plus, operation)).toEqual(first);
    expect(await versionOf(subscriptionId)).toBe(version);
  });

  test.each([
    ['an unknown plan', () => 'ap_prod_none', 'plan_not_found'],
    ['the current plan', () => basic, 'plan_unchanged'],
    ['a plan of another offering', () => elsewhere, 'plan_incompatible'],
    ['a one-off product', () => shop.products.oneTime, 'plan_incompatible'],
  ])('to %s is refused', async (_what, target, reason) => {
    const { subscriptionId } = await subscribed();
    const version = await versionOf(subscriptionId);
    expect(await planChange(subscriptionId, target())).toEqual({ kind: 'refused', reason });
    expect(await versionOf(subscriptionId)).toBe(version);
  });

  test('to a price without an interval, in another currency or of another merchant is refused', async () => {
    const { subscriptionId } = await subscribed();
    const plan = (values: object) => insertPlan(pool, shop.merchantId, offering, { ...RECURRING, ...values });
    const refusalTo = async (id: string) => await planChange(subscriptionId, id);
    expect(await refusalTo(await plan({ interval: null }))).toMatchObject({
      reason: 'recurring_price_interval_missing',
    });
    expect(await refusalTo(await plan({ currency: 'XTS' }))).toMatchObject({ reason: 'plan_incompatible' });
    const stranger = await insertShop(pool);
    expect(await refusalTo(stranger.products.recurring)).toMatchObject({ reason: 'plan_not_found' });
  });

  test('to an inactive plan or offering is refused', async () => {
    const { subscriptionId } = await subscribed();
    const { merchantId } = shop;
    const gone = await insertPlan(pool, merchantId, offering, { ...RECURRING, amount: 100 });
    await pool.query(sql.unsafe`update products set status = 'inactive' where id = ${gone}`);
    expect(await planChange(subscriptionId, gone)).toMatchObject({ reason: 'plan_not_found' });
    const closed = await insertOffering(pool, merchantId, 'Kakao');
    const plan = await insertPlan(pool, merchantId, closed, { ...RECURRING, amount: 100 });
    await pool.query(sql.unsafe`update offerings set status = 'inactive' where id = ${closed}`);
    const change = { type: 'offering_change', targetOfferingId: closed } as const;
    expect(await planChange(subscriptionId, plan, change)).toMatchObject({
      reason: 'offering_not_found',
    });
  });

  test('takes effect at the end of a trial: the first charge is for the new plan', async () => {
    const trial = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, trialPeriodDays: 14 });
    const { subscriptionId, driver, end, later } = await subscribed(trial);
    expect((await driver.view()).status).toBe('trialing');
    await planChange(subscriptionId, plus);
    expect((await driver.view()).change).toMatchObject({ effectiveAt: end });
    await driver.advance(later(1));
    expect(await invoicesOf(pool, subscriptionId)).toMatchObject([
      { product_id: plus, amount: 1_900, period_start: end, status: 'created' },
    ]);
  });

  test('is refused while a change or cancellation is scheduled, before the start and after the end', async () => {
    const { subscriptionId } = await subscribed();
    await planChange(subscriptionId, plus);
    expect(await planChange(subscriptionId, yearly)).toMatchObject({
      reason: 'subscription_change_scheduled',
    });
    const ending = await subscribed();
    await cancel(ending.subscriptionId, true);
    expect(await planChange(ending.subscriptionId, plus)).toMatchObject({
      reason: 'subscription_cancel_scheduled',
    });
    await cancel(ending.subscriptionId);
    expect(await planChange(ending.subscriptionId, plus)).toMatchObject({
      reason: 'subscription_finished',
    });
  });

  test.each([
    [2, 'subscription_cancel_scheduled'],
    [3, null],
  ] as const)(
    'during an outage of two periods, with %i billing cycles left, is accepted only if it can take effect',
    async (cyclesLeft, refusal) => {
      const { subscriptionId, driver, later } = await subscribed();
      const started = new Date(Date.now() - 71 * 86_400_000).toISOString();
      await pool.query(sql.unsafe`
        update subscriptions set billing_cycles_left = ${cyclesLeft}, billing_anchor = ${started},
          current_period_start = ${started}, current_period_end = ${boundary(started, 'month', 1)}
        where id = ${subscriptionId}`);
      const wanted = {
        subscriptionId,
        type: 'plan_change',
        targetPlanId: plus,
        targetOfferingId: null,
        calculatedAt: null,
      } as const;
      const preview = await previewChange(pool, { ...wanted, effective: 'period_end' });
      expect(preview).toMatchObject(refusal ? { kind: 'refused', reason: refusal } : { kind: 'calculated' });
      expect((await planChange(subscriptionId, plus)).kind).toBe(refusal ? 'refused' : 'done');
      await driver.run();
      await driver.advance(later(40));
      expect((await findSubscription(pool, shop, subscriptionId))?.product_id).toBe(refusal ? basic : plus);
    },
  );

  test('is refused if the plan has no offering', async () => {
    const { subscriptionId } = await subscribed(shop.products.recurring);
    expect(await planChange(subscriptionId, plus)).toMatchObject({ reason: 'plan_incompatible' });
    const answer = await planChange(subscriptionId, plus, {
      type: 'offering_change',
      targetOfferingId: offering,
    });
    expect(answer.kind).toBe('done');
  });
});

describe('an offering change', () => {
  const offeringChange = (subscriptionId: string, targetOfferingId: string, targetPlanId: string) =>
    planChange(subscriptionId, targetPlanId, { type: 'offering_change', targetOfferingId });

  test('moves the subscription to the other offering at the end of the period', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await offeringChange(subscriptionId, otherOffering, elsewhere);
    await driver.advance(later(1));
    const row = await pool.one(sql.type(
      z.object({ product_id: z.string(), offering_id: z.string(), amount: z.number() }),
    )`
      select product_id, offering_id, amount from subscriptions where id = ${subscriptionId}
    `);
    expect(row).toEqual({ product_id: elsewhere, offering_id: otherOffering, amount: 700 });
  });

  test('to an unknown offering, or to a plan outside the named offering, is refused', async () => {
    const { subscriptionId } = await subscribed();
    expect(await offeringChange(subscriptionId, 'ap_off_none', elsewhere)).toMatchObject({
      reason: 'offering_not_found',
    });
    expect(await offeringChange(subscriptionId, otherOffering, plus)).toMatchObject({
      reason: 'plan_incompatible',
    });
  });
});

describe('cancelling a change', () => {
  test('leaves plan and price unchanged, for either kind of change', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    const answer = await planChange(subscriptionId, plus);
    const changeId = answer.kind === 'done' ? (answer.changeId ?? '') : '';
    expect(await cancelChange(pool, { subscriptionId, changeId, ...key() })).toEqual(answer);
    expect(await cancelChange(pool, { subscriptionId, changeId, ...key() })).toMatchObject({
      reason: 'subscription_change_not_scheduled',
    });
    await driver.advance(later(1));
    expect((await invoicesOf(pool, subscriptionId)).at(-1)).toMatchObject({ product_id: basic, amount: 900 });
  });

  test('is refused once the change is due, even if the end of the period is processed late', async () => {
    const { subscriptionId, driver } = await subscribed();
    const answer = await planChange(subscriptionId, plus);
    const changeId = answer.kind === 'done' ? (answer.changeId ?? '') : '';
    const started = new Date(Date.now() - 40 * 86_400_000).toISOString();
    const end = boundary(started, 'month', 1);
    await pool.query(sql.unsafe`
      update subscriptions set billing_anchor = ${started}, current_period_start = ${started},
        current_period_end = ${end}, next_action_at = ${end}
      where id = ${subscriptionId}`);
    await pool.query(
      sql.unsafe`update subscription_changes set effective_at = ${end} where id = ${changeId}`,
    );
    expect(await cancelChange(pool, { subscriptionId, changeId, ...key() })).toEqual({
      kind: 'refused',
      reason: 'subscription_change_not_scheduled',
    });
    await driver.run();
    expect(
      (await invoicesOf(pool, subscriptionId)).filter((each) => each.period_start === end),
    ).toMatchObject([{ product_id: plus, amount: 1_900 }]);
  });

  test('is refused for a change of another subscription', async () => {
    const mine = await subscribed();
    const other = await subscribed();
    const answer = await planChange(other.subscriptionId, plus);
    const changeId = answer.kind === 'done' ? (answer.changeId ?? '') : '';
    const taken = await cancelChange(pool, { subscriptionId: mine.subscriptionId, changeId, ...key() });
    expect(taken).toMatchObject({ reason: 'subscription_change_not_found' });
    expect((await other.driver.view()).change).not.toBeNull();
  });
});

describe('cancelling', () => {
  test('ends immediately, and nothing is charged afterwards', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await cancel(subscriptionId);
    expect(await driver.advance(later(100))).toMatchObject({ status: 'cancelled', next: null });
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
    expect(await cancel(subscriptionId)).toMatchObject({ reason: 'subscription_finished' });
    expect(
      (await eventTypesOf(pool, subscriptionId)).filter((type) => type === 'subscription.cancelled'),
    ).toHaveLength(1);
  });

  test('waits for the end of the period when requested, with one event', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await cancel(subscriptionId, true);
    const told = await eventTypesOf(pool, subscriptionId);
    expect(told.at(-1)).toBe('subscription.updated');
    await cancel(subscriptionId, true);
    expect(await eventTypesOf(pool, subscriptionId)).toEqual(told);
    expect(await driver.view()).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    await driver.advance(later(1));
    expect((await driver.view()).status).toBe('cancelled');
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
  });

  test('does not undo a change that was applied', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await planChange(subscriptionId, plus);
    await driver.advance(later(1));
    await cancel(subscriptionId);
    const changes = await pool.anyFirst(sql.type(z.object({ status: z.string() }))`
      select status from subscription_changes where subscription_id = ${subscriptionId}`);
    expect(changes).toEqual(['applied']);
  });

  test('again during an open charge keeps the first instant', async () => {
    const { subscriptionId, driver, end } = await subscribed();
    await advanceSubscription(pool, { subscriptionId, to: end, ...key() });
    await driver.turn();
    await cancel(subscriptionId);
    const version = await versionOf(subscriptionId);
    expect((await cancel(subscriptionId)).kind).toBe('done');
    expect(await versionOf(subscriptionId)).toBe(version);
  });

  test('immediately or at the period’s end is refused while a change is scheduled', async () => {
    const { subscriptionId } = await subscribed();
    await planChange(subscriptionId, plus);
    for (const atPeriodEnd of [true, false]) {
      expect(await cancel(subscriptionId, atPeriodEnd)).toMatchObject({
        reason: 'subscription_change_scheduled',
      });
    }
  });

  test('settles an open charge first: the period is paid, then the subscription ends', async () => {
    const { subscriptionId, driver, end } = await subscribed();
    await advanceSubscription(pool, { subscriptionId, to: end, ...key() });
    await driver.turn();
    expect((await driver.view()).openAttempt).not.toBeNull();
    expect((await cancel(subscriptionId)).kind).toBe('done');
    expect((await driver.view()).status).toBe('active');
    expect((await driver.run()).status).toBe('cancelled');
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'created',
    ]);
  });

  test('settles an open charge first: a declined charge is not retried, and its invoice is written off', async () => {
    const { subscriptionId, driver, end } = await subscribed(basic, [DECLINED]);
    await advanceSubscription(pool, { subscriptionId, to: end, ...key() });
    await driver.turn();
    await cancel(subscriptionId);
    expect((await driver.run()).status).toBe('cancelled');
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'uncollectible',
    ]);
  });
});

describe('undoing a cancellation', () => {
  test('that races the end of the period either takes effect first or is refused, and the end is one or the other', async () => {
    const kinds = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const { subscriptionId, driver, end, later } = await subscribed();
      await cancel(subscriptionId, true);
      await driver.advance(later(-1));
      // Under load every undo would come after 30 ms: the first one always comes in time.
      const leftMs = round === 0 ? 60_000 : 30;
      await pool.query(sql.unsafe`
        update subscription_clocks set ahead_ms = extract(epoch from ${end}::timestamptz - service_clock()) * 1000 - ${leftMs}
        where subscription_id = ${subscriptionId}`);
      await new Promise((resolve) => setTimeout(resolve, round * 5));
      const crossing = async () => {
        for (let asked = 0; asked < 20; asked++) await driver.act('boundary');
      };
      const [undone] = await Promise.all([undoCancel(pool, { subscriptionId, ...key() }), crossing()]);
      const { status } = await driver.advance(later(1));
      kinds.add(undone.kind);
      const isUndone = undone.kind === 'done';
      expect([status, (await invoicesOf(pool, subscriptionId)).map((each) => each.status)]).toEqual(
        isUndone ? ['active', ['created', 'created']] : ['cancelled', ['created']],
      );
    }
    expect([...kinds].toSorted()).toEqual(['done', 'refused']);
  });
});

describe('a new payment method', () => {
  /** The set-up payment of a method change, with a separate mandate. */
  const setUp = (subscriptionId: string) =>
    pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into payments (merchant_id, environment, attempt_no, claim_id, rail_account_id, rail, payment_method,
        credential_secret_ref, status, amount, currency)
      select merchant_id, environment, 1, ${randomUUID()}, rail_account_id, 'sandbox',
        '{"type":"card","brand":"visa","last4":"0000"}', 'new mandate', 'succeeded', 0, 'EUR'
      from subscriptions where id = ${subscriptionId}
      returning id
    `);
  const hard: AttemptOutcome = { kind: 'declined', code: 'lost_or_stolen_card', retryable: false };
  const replace = async (subscriptionId: string) => {
    const paymentId = await setUp(subscriptionId);
    return inTransaction(pool, (tx) =>
      replaceMethod(tx, subscriptionId, { checkoutId: 'ap_pmc_none', paymentId }),
    );
  };
  const mandates = (subscriptionId: string) =>
    pool.anyFirst(sql.type(z.object({ mandate: z.string() }))`
      select case when p.credential_secret_ref = 'new mandate' then 'new' else 'old' end as mandate
      from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${subscriptionId} and p.checkout_id is null order by p.id
    `);

  test('makes past-due invoices due immediately, with the new mandate', async () => {
    const { subscriptionId, driver, later } = await subscribed(basic, [hard]);
    await driver.advance(later(3));
    expect((await driver.view()).status).toBe('past_due');
    expect(await replace(subscriptionId)).toBe(true);
    expect((await driver.run()).status).toBe('active');
    expect(await mandates(subscriptionId)).toEqual(['old', 'new']);
    expect(await eventTypesOf(pool, subscriptionId)).toContain('payment_method.updated');
  });

  test('charges nothing without unpaid invoices, and is charged for the next period', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await replace(subscriptionId);
    expect((await driver.run()).openAttempt).toBeNull();
    await driver.advance(later(1));
    expect(await mandates(subscriptionId)).toEqual(['new']);
  });

  test('is tried immediately if it arrived while the old method was being declined', async () => {
    const { subscriptionId, driver, end } = await subscribed(basic, [hard]);
    await advanceSubscription(pool, { subscriptionId, to: end, ...key() });
    await driver.turn();
    await replace(subscriptionId);
    // No charge may be announced in addition to the open one.
    expect(
      await pool.exists(sql.unsafe`
      select from subscriptions where id = ${subscriptionId} and charge_at is null`),
    ).toBe(true);
    expect((await driver.run()).status).toBe('active');
    expect(await mandates(subscriptionId)).toEqual(['old', 'new']);
    expect(await eventTypesOf(pool, subscriptionId)).not.toContain('payment_method.updated_required');
  });

  test('continues the retry schedule when it is declined too', async () => {
    const { subscriptionId, driver, later } = await subscribed(basic, [hard, DECLINED]);
    await driver.advance(later(3));
    await replace(subscriptionId);
    const view = await driver.run();
    expect(view).toMatchObject({ status: 'past_due', dunning: { step: 1, steps: 4 } });
    expect(view.next?.action).toBe('charge');
    expect(Math.round((Date.parse(view.next?.at ?? '') - Date.parse(later(0))) / 86_400_000)).toBe(7);
  });

  test('is refused for a subscription that has ended', async () => {
    const { subscriptionId } = await subscribed();
    await cancel(subscriptionId);
    expect(await replace(subscriptionId)).toBe(false);
  });
});

describe('a moved clock', () => {
  test('does not affect other subscriptions', async () => {
    const moved = await subscribed();
    const other = await subscribed();
    await moved.driver.advance(moved.later(200));
    expect(await invoicesOf(pool, other.subscriptionId)).toHaveLength(1);
    expect(await other.driver.turn()).toBe(false);
  });

  test('does not jump over a charge whose outcome is unknown', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    await advanceSubscription(pool, { subscriptionId, to: end, ...key() });
    await driver.turn();
    await advanceSubscription(pool, { subscriptionId, to: later(200), ...key() });
    expect(await driver.view()).toMatchObject({ openAttempt: { called: false } });
    for (const action of ['boundary', 'charge', 'reachTarget'] as const) await driver.act(action);
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(2);
    expect((await driver.view()).clockTarget).toBe(later(200));
  });

  test('keeps the later of two targets', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    for (const days of [10, 5])
      await advanceSubscription(pool, { subscriptionId, to: later(days), ...key() });
    expect((await driver.view()).clockTarget).toBe(later(10));
  });

  test('cannot be moved into the past or after the end', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    await driver.advance(later(10));
    const answer = await advanceSubscription(pool, { subscriptionId, to: end, ...key() });
    expect(answer).toMatchObject({ reason: 'advance_target_past' });
    await cancel(subscriptionId);
    expect(await advanceSubscription(pool, { subscriptionId, to: later(99), ...key() })).toMatchObject({
      reason: 'subscription_finished',
    });
  });

  test('is refused in production, and accepts an instant in any notation', async () => {
    const live = await insertShop(pool, {}, 'production');
    const inProduction = await insertSubscription(pool, live, live.products.recurring);
    const answer = await advanceSubscription(pool, {
      subscriptionId: inProduction,
      to: '2099-01-01T00:00:00Z',
      ...key(),
    });
    expect(answer).toEqual({ kind: 'refused', reason: 'sandbox_only' });
    const { subscriptionId, driver } = await subscribed();
    await advanceSubscription(pool, { subscriptionId, to: '2040', ...key() });
    expect((await driver.view()).clockTarget).toBe('2040-01-01T00:00:00.000Z');
  });

  test('continues from the instant it was moved to', async () => {
    const { driver, later } = await subscribed();
    const view = await driver.advance(later(-1));
    expect(view.next?.action).toBe('boundary');
    expect(view.next?.inMs).toBeGreaterThan(86_000_000);
    expect(view.next?.inMs).toBeLessThanOrEqual(86_400_000);
  });
});

describe('an operator', () => {
  async function unknownCharge() {
    const subscription = await subscribed(basic, [UNKNOWN]);
    const { subscriptionId, driver, end } = subscription;
    await advanceSubscription(pool, { subscriptionId, to: end, ...key() });
    await driver.turn();
    await driver.turn();
    const { openAttempt, version } = await driver.view();
    return { ...subscription, paymentId: openAttempt?.attemptId ?? '', version };
  }
  const request = (outcome: 'succeeded' | 'failed') => ({
    outcome,
    operator: 'ada',
    reason: 'seen at the rail',
    evidence: 'charge 42',
  });
  const resolve = (
    c: { subscriptionId: string; paymentId: string; version: number },
    outcome: 'succeeded' | 'failed',
  ) => resolveSubscription(pool, { ...c, dunningLadderDays: LADDER_DAYS, request: request(outcome) });

  test('cannot settle a charge with a request that was lost in a restore', async () => {
    const charge = await unknownCharge();
    const gone = { outcome: 'succeeded', requestId: 'ap_res_gone' } as const;
    const asked = { ...charge, dunningLadderDays: LADDER_DAYS, request: gone };
    expect(await resolveSubscription(pool, asked)).toBe(false);
    expect(await resolve(charge, 'succeeded')).toBe(true);
  });

  test('settles a charge in doubt, with an audit row, once', async () => {
    const charge = await unknownCharge();
    expect(await resolve(charge, 'succeeded')).toBe(true);
    expect(await resolve(charge, 'failed')).toBe(false);
    // As if the answer to the COMMIT was lost and the activity runs again.
    expect(await resolve(charge, 'succeeded')).toBe(true);
    expect((await invoicesOf(pool, charge.subscriptionId)).at(-1)?.status).toBe('created');
    const audit = await pool.any(sql.type(z.object({ actor: z.string() }))`
      select actor from audit_log where subject_id = ${charge.subscriptionId}
    `);
    expect(audit).toEqual([{ actor: 'temporal-ui:ada' }]);
  });

  test('starts dunning by settling a charge as failed', async () => {
    const charge = await unknownCharge();
    await resolve(charge, 'failed');
    expect(await charge.driver.run()).toMatchObject({ status: 'past_due', next: { action: 'charge' } });
  });

  test('is refused if the subscription has changed since the look-up', async () => {
    const charge = await unknownCharge();
    expect(await resolve({ ...charge, version: charge.version - 1 }, 'succeeded')).toBe(false);
  });
});

describe('an unpaid invoice paid now', () => {
  const SOFT: AttemptOutcome = { kind: 'declined', code: 'insufficient_funds', retryable: true };
  const HARD: AttemptOutcome = { kind: 'declined', code: 'lost_or_stolen_card', retryable: false };

  /** A subscription one day after the end of its first period, whose charges got these answers. */
  async function unpaid(...answers: readonly AttemptOutcome[]) {
    const one = await subscribed(basic, answers);
    await one.driver.advance(one.later(1));
    const newest = (await invoicesOf(pool, one.subscriptionId)).at(-1);
    const pay = (invoiceId = newest?.id ?? '', values = {}) =>
      payInvoice(pool, { subscriptionId: one.subscriptionId, invoiceId, ...key(), ...values });
    const attempts = () =>
      pool.anyFirst(sql.type(z.object({ status: z.string() }))`
        select status from payments where invoice_id = ${newest?.id ?? ''} order by attempt_no`);
    return { ...one, pay, attempts, invoiceId: newest?.id ?? '' };
  }

  test('is settled by one charge, which ends the retry schedule', async () => {
    const { driver, pay, attempts } = await unpaid(SOFT, APPROVED);
    const paid = await pay();
    expect(paid).toMatchObject({ kind: 'done', paymentId: expect.stringMatching(/^ap_pay_/) });
    await driver.run();
    expect(await driver.view()).toMatchObject({ status: 'active', dunning: null });
    expect(await attempts()).toEqual(['failed', 'succeeded']);
    expect(await pay()).toEqual({ kind: 'refused', reason: 'invoice_not_payable' });
  });

  test.each([
    ['declined', SOFT],
    ['ended without an answer', { kind: 'cancelled' }],
  ] as const)('by an attempt that was %s keeps its retry dates', async (_name, answer) => {
    const { subscriptionId, driver, pay, later, attempts } = await unpaid(SOFT, answer, SOFT, APPROVED);
    const before = await driver.view();
    await pay();
    const after = await driver.run();
    expect([after.next, after.dunning]).toMatchObject([
      { action: 'charge', at: later(2) },
      before.dunning ?? {},
    ]);
    await driver.advance(later(6));
    expect((await driver.view()).next).toMatchObject({ action: 'charge', at: later(7) });
    await driver.advance(later(8));
    expect(await attempts()).toEqual([
      'failed',
      answer.kind === 'cancelled' ? 'cancelled' : 'failed',
      'failed',
      'succeeded',
    ]);
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'created',
    ]);
  });

  test('by an attempt that was in doubt for two hours has its next retry postponed and made once', async () => {
    const { driver, pay, later, attempts, invoiceId } = await unpaid(
      SOFT,
      { kind: 'cancelled' },
      SOFT,
      APPROVED,
    );
    await pay();
    await pool.query(sql.unsafe`
      update payments set created_at = created_at - interval '2 hours'
      where invoice_id = ${invoiceId} and status = 'processing'`);
    await driver.run();
    const late = new Date(Date.parse(later(2)) + 2 * 3_600_000);
    expect(String((await driver.view()).next?.at).slice(0, 16)).toBe(late.toISOString().slice(0, 16));
    await driver.advance(later(3));
    expect(await attempts()).toEqual(['failed', 'cancelled', 'failed']);
  });

  test('at the same time as a due retry makes one charge, whichever comes first', async () => {
    for (const retryFirst of [true, false]) {
      const { driver, pay, later, subscriptionId, attempts } = await unpaid(SOFT, APPROVED);
      await advanceSubscription(pool, { subscriptionId, ...key(), to: later(2) });
      const charge = () => driver.act('charge');
      const [first, second] = retryFirst ? [charge, pay] : [pay, charge];
      await Promise.all([first(), second(), charge(), pay()]);
      await driver.run();
      expect(await attempts()).toEqual(['failed', 'succeeded']);
      expect((await driver.view()).status).toBe('active');
    }
  });

  test('gets one attempt per key, and at most three a day', async () => {
    const { driver, pay, later, attempts } = await unpaid(SOFT, SOFT, SOFT, SOFT, SOFT, SOFT);
    const again = key();
    const paid = await pay(undefined, again);
    await driver.run();
    expect(await pay(undefined, again)).toEqual(paid);
    for (let n = 0; n < 2; n++) {
      expect(await pay()).toMatchObject({ kind: 'done' });
      await driver.run();
    }
    const refused = key();
    expect(await pay(undefined, refused)).toEqual({ kind: 'refused', reason: 'attempts_of_today' });
    expect(await attempts()).toHaveLength(4);
    await driver.advance(later(3));
    // The scheduled retry and the refused request were on the same day.
    expect(await attempts()).toHaveLength(5);
    expect(await pay(undefined, refused)).toMatchObject({ kind: 'done' });
  });

  test('needs a different method after a hard decline', async () => {
    const { pay, attempts } = await unpaid(HARD);
    expect(await pay()).toEqual({ kind: 'refused', reason: 'payment_method_declined' });
    expect(await attempts()).toEqual(['failed']);
  });

  test('needs a different method if a change was hard-declined before the renewal was soft-declined', async () => {
    const { pay, attempts, subscriptionId } = await unpaid(SOFT);
    await pool.query(
      sql.unsafe`update subscriptions set method_declined = true where id = ${subscriptionId}`,
    );
    expect(await pay()).toEqual({ kind: 'refused', reason: 'payment_method_declined' });
    expect(await attempts()).toEqual(['failed']);
  });

  test('is refused while an older invoice is unpaid, and for an invoice of another subscription', async () => {
    const { pay, subscriptionId } = await unpaid(SOFT);
    const foreign = await unpaid(SOFT);
    expect(await pay(foreign.invoiceId)).toEqual({ kind: 'refused', reason: 'invoice_not_payable' });
    const newest = await insertNewerInvoice(pool, subscriptionId);
    expect(await pay(newest)).toEqual({ kind: 'refused', reason: 'invoice_older_unpaid' });
  });
});

describe('an announcement', () => {
  const announced = (scope: Shop) =>
    pool.any(sql.unsafe`
      select body::jsonb ->> 'type' as type, body::jsonb #>> '{next_renewal,at}' as at,
        (body::jsonb #>> '{next_renewal,total}')::integer as total,
        round(extract(epoch from (body::jsonb #>> '{next_renewal,at}')::timestamptz - occurred_at) / 86400)::integer as days
      from events where merchant_id = ${scope.merchantId} and body::jsonb ? 'next_renewal' order by occurred_at`);
  const named = ['subscription.trial_ending', 'subscription.renewal_upcoming'];
  /** @returns a subscription of a merchant whose endpoint subscribes to these events */
  const asked = async (eventTypes: readonly string[] | undefined, price = RECURRING) => {
    const scope = await insertShop(pool);
    await createEndpoint(pool, scope, eventTypes && { eventTypes });
    const offeringId = await insertOffering(pool, scope.merchantId);
    const plan = await insertPlan(pool, scope.merchantId, offeringId, price);
    const dearer = await insertPlan(pool, scope.merchantId, offeringId, { ...RECURRING, amount: 1_500 });
    const subscriptionId = await insertSubscription(pool, scope, plan);
    const driver = driverOf(pool, subscriptionId, () => APPROVED);
    const end = (await driver.view()).currentPeriodEnd ?? '';
    const from = (days: number) => new Date(Date.parse(end) + days * 86_400_000).toISOString();
    return { scope, dearer, subscriptionId, driver, end, from };
  };

  test('is sent once, the configured number of days before each renewal, with the charge', async () => {
    const { scope, driver, end, from } = await asked(named);
    await driver.advance(from(-8));
    expect(await announced(scope)).toEqual([]);
    await driver.advance(from(-6));
    const first = { type: 'subscription.renewal_upcoming', at: end, total: 900, days: 7 };
    expect(await announced(scope)).toEqual([first]);
    await driver.advance(from(35));
    expect(await announced(scope)).toMatchObject([first, { at: boundary(end, 'month', 1) }]);
  });

  test('of a trial is sent three days before its end, with the price of a scheduled plan', async () => {
    const { scope, dearer, subscriptionId, driver, end } = await asked(named, {
      ...RECURRING,
      trialPeriodDays: 14,
    });
    await planChange(subscriptionId, dearer);
    await driver.advance(end);
    expect(await announced(scope)).toEqual([
      { type: 'subscription.trial_ending', at: end, total: 1_500, days: 3 },
    ]);
  });

  test.each([
    ['a new endpoint', RECURRING, 'subscription.renewal_upcoming', 7],
    ['a new endpoint', { ...RECURRING, trialPeriodDays: 14 }, 'subscription.trial_ending', 3],
    ['a changed endpoint', RECURRING, 'subscription.renewal_upcoming', 7],
  ])(
    'is sent for a period that was already running when %s subscribed to it',
    async (what, price, type, days) => {
      const { scope, driver, end, subscriptionId } = await asked(undefined, price);
      const id = await newWebhookEndpointId(pool);
      const url = 'https://shop.example/announcements';
      const endpoint = { id, url, standardHeaders: false, sealedSecret: Buffer.from('sealed') };
      const eventTypes = what === 'a new endpoint' ? named : ['payment.succeeded'];
      await createWebhookEndpoint(pool, scope, { ...endpoint, eventTypes }, { actor: 'test' });
      if (eventTypes !== named)
        await updateWebhookEndpoint(pool, scope.merchantId, id, { eventTypes: named }, { actor: 'test' });
      const next = await pool.oneFirst(sql.unsafe`
      select next_action_at = announce_at from subscriptions where id = ${subscriptionId}`);
      expect(next).toBe(true);
      await driver.advance(end);
      expect(await announced(scope)).toEqual([expect.objectContaining({ type, at: end, days })]);
    },
  );

  test('is scheduled in batches for all periods that were running, the soonest first', async () => {
    const running: string[] = [];
    for (const month of [5, 3, 4]) {
      const { scope, dearer, subscriptionId } = await asked(undefined);
      const ids = [subscriptionId, await insertSubscription(pool, scope, dearer)];
      for (const [nth, id] of ids.entries())
        await beginAt(pool, id, `2045-0${month}-0${nth + 1}T09:00:00.000Z`);
      running.push(...ids);
      await createEndpoint(pool, scope, { eventTypes: named });
      await pool.query(sql.unsafe`
        update webhook_endpoints set announces_running = true
        where merchant_id = ${scope.merchantId} and event_types is not null`);
    }
    const inOrder = [running[2], running[3], running[4], running[5], running[0], running[1]];
    const scheduled = () =>
      pool.anyFirst(sql.type(z.object({ id: z.string() }))`
        select id from subscriptions where announce_at is not null and id = any (${sql.array(running, 'text')})
        order by current_period_end`);
    expect(await announceRunning(pool, null, 3)).toBe(true);
    expect(await scheduled()).toEqual(inOrder.slice(0, 3));
    expect(await announceRunning(pool, null, 2)).toBe(true);
    expect(await scheduled()).toEqual(inOrder.slice(0, 5));
    expect(await announceRunning(pool, null, 2)).toBe(false);
    expect(await scheduled()).toEqual(inOrder);
    await pool.query(sql.unsafe`
      update subscriptions set announce_at = null where id = any (${sql.array(running, 'text')})`);
    expect([await announceRunning(pool, null, 2), await scheduled()]).toEqual([false, []]);
  });

  test('is not sent again to an endpoint that subscribes to it after its instant', async () => {
    const { scope, driver, end, from } = await asked(named);
    await driver.advance(from(-6));
    const id = await newWebhookEndpointId(pool);
    const endpoint = {
      id,
      url: 'https://shop.example/late',
      standardHeaders: false,
      sealedSecret: Buffer.from('s'),
    };
    await createWebhookEndpoint(pool, scope, { ...endpoint, eventTypes: named }, { actor: 'test' });
    await driver.advance(end);
    expect(await announced(scope)).toHaveLength(1);
  });

  test('is not sent without a subscribed endpoint, or for a charge that will not be made', async () => {
    const unasked = await asked(undefined);
    await unasked.driver.advance(unasked.from(1));
    expect(await announced(unasked.scope)).toEqual([]);
    const ending = await asked(named);
    await cancel(ending.subscriptionId, true);
    await ending.driver.advance(ending.from(1));
    expect(await announced(ending.scope)).toEqual([]);
    const last = await asked(named);
    await pool.query(
      sql.unsafe`update subscriptions set billing_cycles_left = 0 where id = ${last.subscriptionId}`,
    );
    await last.driver.advance(last.from(1));
    expect(await announced(last.scope)).toEqual([]);
    const undone = await asked(named);
    await cancel(undone.subscriptionId, true);
    await undone.driver.advance(undone.from(-5));
    await undoCancel(pool, { subscriptionId: undone.subscriptionId, ...key() });
    await undone.driver.run();
    expect(await announced(undone.scope)).toHaveLength(1);
  });
});

describe('a pause', () => {
  const SOFT: AttemptOutcome = { kind: 'declined', code: 'insufficient_funds', retryable: true };
  const pause = (subscriptionId: string, resumesAt: string | null = null, values = {}) =>
    pauseSubscription(pool, { subscriptionId, resumesAt, ...key(), ...values });
  const resume = (subscriptionId: string, values = {}) =>
    resumeSubscription(pool, { subscriptionId, calculatedAt: null, ...key(), ...values });
  const shownPause = (subscriptionId: string) =>
    pool.one(
      sql.unsafe`select pause_at_period_end, resumes_at from subscriptions where id = ${subscriptionId}`,
    );
  const OUTDATED = { kind: 'refused', reason: 'preview_outdated', total: 900 };
  async function resumePreviewed(subscriptionId: string) {
    const previewed = await previewResume(pool, subscriptionId);
    if (previewed.kind === 'refused') throw new Error(previewed.reason);
    return previewed;
  }
  const statesOf = async (subscriptionId: string) => {
    const all = await eventTypesOf(pool, subscriptionId);
    return all.filter((type) => type.startsWith('subscription.'));
  };

  test('begins at the end of the paid period and charges nothing until a resume begins a period', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    await pause(subscriptionId);
    expect(await driver.view()).toMatchObject({ status: 'active', next: { action: 'boundary', at: end } });
    await driver.advance(later(100));
    expect(await driver.view()).toMatchObject({ status: 'paused', currentPeriodEnd: end, next: null });
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
    expect(await resume(subscriptionId)).toMatchObject({ kind: 'done' });
    const resumed = await driver.run();
    const [, invoice] = await invoicesOf(pool, subscriptionId);
    expect(invoice).toMatchObject({ status: 'created', amount: 900, period_end: resumed.currentPeriodEnd });
    expect(invoice?.period_start && invoice.period_start >= later(100)).toBe(true);
    expect(invoice?.period_end).toBe(boundary(invoice?.period_start ?? '', 'month', 1));
    expect(resumed.status).toBe('active');
    expect(await statesOf(subscriptionId)).toEqual([
      'subscription.created',
      'subscription.updated',
      'subscription.updated',
      'subscription.paused',
      'subscription.updated',
      'subscription.resumed',
    ]);
  });

  test('ends automatically at its date, from which later periods are counted', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await pause(subscriptionId, later(40));
    await driver.advance(later(39));
    expect(await driver.view()).toMatchObject({
      status: 'paused',
      next: { action: 'boundary', at: later(40) },
    });
    await driver.advance(later(75));
    const issued = (await invoicesOf(pool, subscriptionId)).slice(1);
    expect(issued.map(({ period_start, status }) => [period_start, status])).toEqual([
      [later(40), 'created'],
      [boundary(later(40), 'month', 1), 'created'],
    ]);
  });

  test('is charged once, however often its end is requested and processed', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await pause(subscriptionId);
    await driver.advance(later(1));
    await Promise.all([resume(subscriptionId), resume(subscriptionId)]);
    await Promise.all([driver.act('boundary'), driver.act('boundary'), resume(subscriptionId)]);
    await driver.run();
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'created',
    ]);
  });

  test('ends as previewed, with the same lines and period; an outdated preview is refused with the total', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    const planned = await previewPause(pool, { subscriptionId, resumesAt: later(20) });
    expect(planned).toMatchObject({
      total: 0,
      lines: [],
      effectiveAt: end,
      nextRenewal: { at: later(20), total: 900 },
    });
    await pause(subscriptionId, later(20));
    expect(await previewResume(pool, subscriptionId)).toMatchObject({
      total: 0,
      nextRenewal: { at: end, total: 900 },
    });
    await driver.advance(later(1));
    const first = await resumePreviewed(subscriptionId);
    expect(await resume(subscriptionId, { calculatedAt: end })).toEqual(OUTDATED);
    await pause(subscriptionId, later(30));
    expect(await resume(subscriptionId, { calculatedAt: first.calculatedAt })).toEqual(OUTDATED);
    const { calculatedAt, lines, nextRenewal } = await resumePreviewed(subscriptionId);
    expect(await resume(subscriptionId, { calculatedAt })).toMatchObject({ kind: 'done' });
    const { currentPeriodEnd } = await driver.run();
    const [, invoice] = await invoicesOf(pool, subscriptionId);
    expect(invoice).toMatchObject({ status: 'created', period_start: calculatedAt, amount: 900 });
    expect(lines).toMatchObject([{ amount: 900, period: { start: calculatedAt, end: currentPeriodEnd } }]);
    expect(nextRenewal).toEqual({ at: currentPeriodEnd, total: 900 });
  });

  test('is idempotent, and its end date can be changed or removed', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    const once = key();
    await pause(subscriptionId, later(3), once);
    const version = await versionOf(subscriptionId);
    await pause(subscriptionId, later(3), once);
    await pause(subscriptionId, later(3));
    expect(await versionOf(subscriptionId)).toBe(version);
    for (const wrong of [end, new Date().toISOString(), '2990-01-01T00:00:00.000Z'])
      expect(await pause(subscriptionId, wrong)).toEqual({ kind: 'refused', reason: 'pause_date_invalid' });
    await driver.advance(later(1));
    await pause(subscriptionId, later(30));
    await driver.advance(later(4));
    expect((await driver.view()).status).toBe('paused');
    await pause(subscriptionId);
    expect((await driver.view()).next).toBeNull();
  });

  test('can be withdrawn before it begins, so that the subscription renews', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    await pause(subscriptionId, later(10));
    expect(await resume(subscriptionId)).toMatchObject({ kind: 'done' });
    await driver.advance(later(1));
    expect((await invoicesOf(pool, subscriptionId)).at(-1)).toMatchObject({
      period_start: end,
      status: 'created',
    });
  });

  test('waits while an unpaid invoice is retried', async () => {
    const { subscriptionId, driver, later } = await subscribed(basic, [SOFT, SOFT, APPROVED]);
    await driver.advance(later(1));
    expect(await pause(subscriptionId)).toEqual({ kind: 'refused', reason: 'subscription_past_due' });
    // The pause was requested while the outcome was unknown, before the decline.
    await pool.query(
      sql.unsafe`update subscriptions set pause_at_period_end = true where id = ${subscriptionId}`,
    );
    await driver.advance(later(3));
    expect(await driver.view()).toMatchObject({
      status: 'past_due',
      next: { action: 'charge', at: later(7) },
    });
    await driver.advance(later(40));
    expect((await driver.view()).status).toBe('paused');
    expect((await invoicesOf(pool, subscriptionId)).map(({ status }) => status)).toEqual([
      'created',
      'created',
    ]);
  });

  test('requested while a renewal is being declined is either set or refused, with one charge of the period either way', async () => {
    const kinds = new Set<string>();
    for (let round = 0; round < 8; round++) {
      const { subscriptionId, driver, later } = await subscribed(basic, [SOFT, APPROVED]);
      await advanceSubscription(pool, { subscriptionId, to: later(1), ...key() });
      await driver.turn();
      const ask = () => pause(subscriptionId);
      const decline = () => driver.turn();
      // In the first two rounds one waits for the other, so that both outcomes occur.
      if (round === 1) await decline();
      const asked = ask();
      if (round === 0) await asked;
      const [answer] = await Promise.all([asked, ...(round === 1 ? [] : [decline()])]);
      kinds.add(answer.kind);
      const isSet = answer.kind === 'done';
      if (!isSet) expect(answer).toEqual({ kind: 'refused', reason: 'subscription_past_due' });
      await driver.advance(later(10));
      expect(await shownPause(subscriptionId)).toMatchObject({ pause_at_period_end: isSet });
      const charges = await pool.any(sql.type(z.object({ invoice: z.string(), status: z.string() }))`
        select p.status, i.status as invoice from payments p join invoices i on i.id = p.invoice_id
        where i.subscription_id = ${subscriptionId} order by i.period_start desc, attempt_no limit 2`);
      expect(charges).toEqual([
        { status: 'failed', invoice: 'created' },
        { status: 'succeeded', invoice: 'created' },
      ]);
    }
    expect([...kinds].toSorted()).toEqual(['done', 'refused']);
  });

  test('of a plan with a period shorter than its retry schedule begins once the invoice is paid', async () => {
    const daily = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, interval: 'day' });
    const { subscriptionId, driver, later } = await subscribed(daily, [SOFT, APPROVED]);
    await driver.advance(later(0.5));
    await pool.query(
      sql.unsafe`update subscriptions set pause_at_period_end = true where id = ${subscriptionId}`,
    );
    await driver.advance(later(10));
    expect((await driver.view()).status).toBe('paused');
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(2);
  });

  test('whose date passes while an invoice is unpaid resumes with the period of the payment, counted from that date', async () => {
    const daily = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, interval: 'day' });
    const { subscriptionId, driver, later } = await subscribed(daily, [SOFT, SOFT, APPROVED]);
    await driver.advance(later(0.5));
    // The pause was requested while the outcome was unknown, before the decline.
    await pool.query(sql.unsafe`
      update subscriptions set pause_at_period_end = true, resumes_at = ${later(1.5)} where id = ${subscriptionId}`);
    await driver.advance(later(7.2));
    const [, unpaid, resumed, ...more] = await invoicesOf(pool, subscriptionId);
    expect(unpaid).toMatchObject({ status: 'created', period_start: later(0) });
    expect(resumed).toMatchObject({ status: 'created', period_start: later(6.5) });
    expect(more).toEqual([]);
  });

  test.each([true, false])(
    'ends immediately and without a charge when cancelled with at_period_end %s',
    async (atEnd) => {
      const { subscriptionId, driver, later } = await subscribed();
      await pause(subscriptionId, later(40));
      await driver.advance(later(1));
      await cancel(subscriptionId, atEnd);
      expect((await driver.run()).status).toBe('cancelled');
      expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
      expect(await resume(subscriptionId)).toMatchObject({ reason: 'subscription_finished' });
    },
  );

  test('begins as scheduled when a cancellation at the end of the period is undone', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    const shown = () => findSubscription(pool, shop, subscriptionId);
    await pause(subscriptionId, later(40));
    await cancel(subscriptionId, true);
    expect(await shown()).toMatchObject({ pause_at_period_end: true, resumes_at: null, ends_at: end });
    await undoCancel(pool, { subscriptionId, ...key() });
    expect(await shown()).toMatchObject({ pause_at_period_end: true, resumes_at: later(40), ends_at: null });
    await driver.advance(later(1));
    expect(await driver.view()).toMatchObject({ status: 'paused', next: { at: later(40) } });
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
  });

  test('is superseded by a cancellation at the end of the period', async () => {
    const { subscriptionId, driver, end, later } = await subscribed();
    await pause(subscriptionId, later(40));
    await cancel(subscriptionId, true);
    expect(await driver.view()).toMatchObject({ next: { action: 'boundary', at: end } });
    await driver.advance(later(60));
    expect((await driver.view()).status).toBe('cancelled');
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
    expect(await shownPause(subscriptionId)).toEqual({ pause_at_period_end: false, resumes_at: null });
  });

  test('can be withdrawn without undoing the cancellation', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await pause(subscriptionId, later(40));
    await cancel(subscriptionId, true);
    expect(await resume(subscriptionId)).toMatchObject({ kind: 'done' });
    await driver.advance(later(1));
    expect((await driver.view()).status).toBe('cancelled');
  });

  test('ends with a lost dispute', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await pause(subscriptionId, later(40));
    await driver.advance(later(1));
    await inTransaction(pool, async (tx) => stopRenewing(tx, await lockSubscription(tx, subscriptionId)));
    expect((await driver.run()).status).toBe('cancelled');
    expect(await invoicesOf(pool, subscriptionId)).toHaveLength(1);
  });

  test('allows a new payment method, which is charged when the pause ends', async () => {
    const { subscriptionId, driver, later } = await subscribed();
    await pause(subscriptionId);
    await driver.advance(later(1));
    const paymentId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into payments (merchant_id, environment, attempt_no, claim_id, rail_account_id, rail, payment_method,
        credential_secret_ref, status, amount, currency)
      select merchant_id, environment, 1, ${randomUUID()}, rail_account_id, 'sandbox', payment_method,
        ${sql.binary(Buffer.from('mandate-2'))}, 'succeeded', 0, 'EUR'
      from subscriptions where id = ${subscriptionId} returning id`);
    const replaced = await inTransaction(pool, (tx) =>
      replaceMethod(tx, subscriptionId, { checkoutId: 'ap_pmc_none', paymentId }),
    );
    expect([replaced, (await driver.run()).status]).toEqual([true, 'paused']);
    await resume(subscriptionId);
    await driver.run();
    const charged = await pool.oneFirst(sql.type(z.object({ mandate: z.string() }))`
      select convert_from(credential_secret_ref, 'UTF8') as mandate from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${subscriptionId} and p.checkout_id is null`);
    expect(charged).toBe('mandate-2');
  });
});

describe('the table of states and operations', () => {
  const inState: Readonly<Record<OperationFact, (id: string) => Promise<unknown>>> = {
    changePending: (id) => insertPendingChange(pool, id),
    changeScheduled: (id) => planChange(id, plus),
    chargingStopped: (id) => set(id, sql.fragment`charging_stopped_at = now()`),
    ending: (id) => set(id, sql.fragment`cancel_requested_at = now()`),
    // `payInvoice` and `linkInvoice` insert an unpaid invoice; the others are refused with or without one.
    collecting: (id) =>
      set(
        id,
        sql.fragment`cancel_at_period_end = true, collects = true,
        current_period_end = service_clock() - interval '1 second'`,
      ),
    endsWithPeriod: (id) => set(id, sql.fragment`cancel_at_period_end = true`),
    continues: async () => {},
    lastPeriod: (id) => set(id, sql.fragment`billing_cycles_left = 0`),
    pausing: (id) => set(id, sql.fragment`pause_at_period_end = true`),
    notPausing: async () => {},
    chargeOpen: async (id) =>
      payInvoice(pool, { subscriptionId: id, ...key(), invoiceId: await unpaidInvoice(id) }),
  };
  const unpaidInvoice = async (subscriptionId: string) =>
    (await pool.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
      select id from invoices where subscription_id = ${subscriptionId} and status = 'open'`)) ??
    insertNewerInvoice(pool, subscriptionId);
  const set = (id: string, columns: ReturnType<typeof sql.fragment>) =>
    pool.query(sql.unsafe`update subscriptions set ${columns} where id = ${id}`);

  const toPlus = () => ({
    type: 'plan_change' as const,
    targetPlanId: plus,
    targetOfferingId: null,
    calculatedAt: null,
  });
  async function attempt(operation: SubscriptionOperationName, subscriptionId: string) {
    const one = { subscriptionId, ...key() };
    switch (operation) {
      case 'cancel':
        return cancelSubscription(pool, { ...one, atPeriodEnd: true });
      case 'undoCancel':
        return undoCancel(pool, one);
      case 'pause':
        return pauseSubscription(pool, { ...one, resumesAt: null });
      case 'resume':
        return resumeSubscription(pool, { ...one, calculatedAt: null });
      case 'moveTrial':
        return moveTrial(pool, { ...one, endsAt: new Date(Date.now() + 60_000).toISOString() });
      case 'scheduleChange':
        return planChange(subscriptionId, plus);
      case 'changeNow':
        return changePlanNow(pool, { ...one, ...toPlus() });
      case 'cancelChange': {
        const changeId = await pool.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
          select id from subscription_changes where subscription_id = ${subscriptionId}
        `);
        return cancelChange(pool, { ...one, changeId: changeId ?? 'ap_chg_none' });
      }
      case 'payInvoice':
        return payInvoice(pool, { ...one, invoiceId: await unpaidInvoice(subscriptionId) });
      case 'linkInvoice': {
        const { refusal } = await createPaymentLink(pool, {
          scope: shop,
          subscriptionId,
          invoiceId: await unpaidInvoice(subscriptionId),
          pageToken: createPageToken(testSecretBox, 'ap_lnk_'),
          maxAttempts: 3,
          railNames: ['sandbox'],
        });
        return refusal === null ? { kind: 'done' } : { kind: 'refused', reason: refusal };
      }
      case 'changeMethod': {
        const { refusal } = await createMethodChange(pool, {
          scope: shop,
          operationId: null,
          subscriptionId,
          externalCustomerId: null,
          buyer: { email: null, party: null },
          successUrl: 'https://shop.example/account',
          failUrl: 'https://shop.example/account',
          pageToken: createPageToken(testSecretBox, 'ap_pmc_'),
          maxAttempts: 3,
          railNames: ['sandbox'],
        });
        return refusal === null ? { kind: 'done' } : { kind: 'refused', reason: refusal };
      }
      case 'advanceClock':
        return advanceSubscription(pool, { ...one, to: new Date(Date.now() + 60_000).toISOString() });
    }
  }

  const REFUSED_BY_DEFAULT = new Set(
    SUBSCRIPTION_OPERATIONS.filter((name) => refusalIn(name, 'continues') ?? refusalIn(name, 'notPausing')),
  );
  // A trial has no invoice, and so no charge.
  const cells = SUBSCRIPTION_OPERATIONS.flatMap((operation) =>
    [...SUBSCRIPTION_STATUSES, ...OPERATION_FACTS]
      .filter((state) => operation !== 'moveTrial' || state !== 'chargeOpen')
      .map((state) => [operation, state] as const),
  );

  test.each(cells)('allows or refuses %s in state %s as documented', async (operation, state) => {
    const { subscriptionId } = await subscribed(operation === 'moveTrial' ? shop.products.trial : basic);
    if (state in inState) await inState[state as OperationFact](subscriptionId);
    else await set(subscriptionId, sql.fragment`status = ${state as SubscriptionStatus}`);
    const answer = await attempt(operation, subscriptionId);
    const reason = refusalIn(operation, state);
    if (reason) expect(answer).toEqual({ kind: 'refused', reason });
    // The other refusals follow from the default state, which is not set to end or to pause, and has no
    // change to cancel.
    else if (!REFUSED_BY_DEFAULT.has(operation) && operation !== 'cancelChange')
      expect(answer).toMatchObject({ kind: 'done' });
  });
});
