/**
 * Moves of a price's subscribers to the plan's new price: each is announced in time and charged once, or
 * listed.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { PriceMove } from '../../../contract/subscription/price-moves.ts';
import {
  cancelPriceMove,
  checkPriceMove,
  createPriceMove,
  findPriceMove,
} from '../../../db/catalogue/price-moves.ts';
import { createPrice, setPriceStatus } from '../../../db/catalogue/prices.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { fenceIfRestored, liftFence } from '../../../db/restore/fence.ts';
import { skipLostNumbers } from '../../../db/restore/skip-lost-numbers.ts';
import { methodChangeFacts, selectMethodChangeFacts } from '../../../db/session/method-change-facts.ts';
import { announceMove, movesToAnnounce } from '../../../db/subscription/announce-price-move.ts';
import { cancelSubscription, undoCancel } from '../../../db/subscription/cancel-subscription.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { moveTrial } from '../../../db/subscription/move-trial.ts';
import { pauseSubscription, resumeSubscription } from '../../../db/subscription/pause-subscription.ts';
import { previewChange, previewResume } from '../../../db/subscription/preview-change.ts';
import { reportPriceMove } from '../../../db/subscription/price-move-report.ts';
import { findSubscription } from '../../../db/subscription/read/find-subscription.ts';
import { findSubscriptionDetails } from '../../../db/subscription/read/subscription-details.ts';
import { renewPeriod } from '../../../db/subscription/renew-subscription.ts';
import { scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays, boundary } from '../../../domain/core/calendar.ts';
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
  invoicesOf,
} from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

/** A period of 28 days, which begins in the future, so that its clock is moved: shorter than the notice. */
const START = '2045-02-01T09:00:00.000Z';
const ACTOR = { actor: 'person:test' };
const renewal = (count: number) => boundary(START, 'month', count);
const soon = () => addDays(new Date().toISOString(), 31);

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

/** A plan of 9.00 a month for up to 50 units, with another plan of 19.00 in its offering. */
async function newPlan(values: object = {}) {
  const offering = await insertOffering(pool, shop.merchantId);
  const quantity = { min: 1, max: 50 };
  const productId = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, ...values }, quantity);
  const other = await insertPlan(pool, shop.merchantId, offering, { ...RECURRING, amount: 1_900 });
  return { productId, other, ref: { merchantId: shop.merchantId, productId } };
}
type Plan = Awaited<ReturnType<typeof newPlan>>;

/** Replaces the plan's price with one of 11.00 at another tax rate. @returns the parameters of a move */
async function replacePrice({ ref }: Plan, amount = 1_100) {
  const old = await pool.oneFirst(
    sql.unsafe`select id from prices where product_id = ${ref.productId} and status = 'active'`,
  );
  const recurring = { interval: 'month' as const, interval_count: 1 };
  const created = await createPrice(
    pool,
    ref,
    { amount, currency: 'EUR', tax_rate: 7, billing_mode: 'recurring', recurring },
    ACTOR,
  );
  if (typeof created === 'string') throw new Error(created);
  return {
    environment: 'sandbox' as const,
    old_price_id: String(old),
    new_price_id: created.id,
    from: soon(),
  };
}

async function moveTo(given: Awaited<ReturnType<typeof replacePrice>>) {
  const move = await createPriceMove(pool, shop.merchantId, given, ACTOR);
  if (typeof move === 'string') throw new Error(move);
  return move;
}

/** The sweep's steps for price moves, once. */
async function sweep(): Promise<void> {
  for (const { subscriptionId } of await movesToAnnounce(pool, 500)) await announceMove(pool, subscriptionId);
}

async function subscriberOf({ productId }: Plan, quantity: number | null = null, buyer: object = {}) {
  const id = await insertSubscription(pool, shop, productId, quantity, buyer);
  await beginAt(pool, id, START);
  return { id, driver: driverOf(pool, id, () => APPROVED), shown: () => findSubscription(pool, shop, id) };
}
type Subscriber = Awaited<ReturnType<typeof subscriberOf>>;

const amountsOf = async ({ id }: Subscriber) => (await invoicesOf(pool, id)).map(({ amount }) => amount);
const operation = (subscriptionId: string) => ({ subscriptionId, operationKey: randomUUID() });
const toPlan = (targetPlanId: string) =>
  ({ type: 'plan_change', targetPlanId, targetOfferingId: null, calculatedAt: null }) as const;
async function reportOf({ id }: PriceMove) {
  const move = await findPriceMove(pool, { merchantId: shop.merchantId, environment: null }, id);
  if (!move) throw new Error('not found');
  return reportPriceMove(pool, move);
}
const countsOf = async (move: PriceMove) => (await reportOf(move)).counts;
const auditedOf = (moveId: string) =>
  pool.anyFirst(
    sql.unsafe`select action || ' ' || actor from audit_log where subject_id = ${moveId} order by action`,
  );
/** The totals that `subscription.renewal_upcoming` has announced. */
const announcedTotals = ({ id }: Subscriber) =>
  pool.anyFirst(
    sql.type(z.object({ total: z.number() }))`
      select (body::jsonb #>> '{next_renewal,total}')::int as total from events
      where aggregate_id = ${id} and type = 'subscription.renewal_upcoming' order by occurred_at, aggregate_version`,
  );
const advance = ({ driver }: Subscriber, to: string) => driver.advance(addDays(to, 1));

describe('a move', () => {
  test('is announced immediately, and applies from the first renewal after the notice period by the subscription’s clock', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const given = await replacePrice(plan);
    const move = await moveTo(given);
    await sweep();
    const from = String((await one.shown())?.price_move?.from);
    expect(await one.shown()).toMatchObject({
      price_id: given.old_price_id,
      amount: 900,
      price_move: { id: move.id, amount: 1_100 },
    });
    expect(from >= addDays(START, 30)).toBe(true);
    expect((await eventTypesOf(pool, one.id)).at(-1)).toBe('subscription.updated');
    await advance(one, renewal(1));
    expect(await amountsOf(one)).toEqual([900, 900]);
    await advance(one, renewal(2));
    expect(await amountsOf(one)).toEqual([900, 900, 1_100]);
    expect(await one.shown()).toMatchObject({
      price_id: given.new_price_id,
      amount: 1_100,
      price_move: null,
    });
    const lines = await pool.oneFirst(
      sql.unsafe`select line_items #>> '{0,tax_rate}' from invoices where subscription_id = ${one.id}
        order by period_start desc limit 1`,
    );
    expect(lines).toBe('7');
    expect((await reportPriceMove(pool, move)).counts).toMatchObject({
      moved: 1,
      announced: 0,
    });
  });

  test('applies only from its date on', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const given = await replacePrice(plan);
    const move = await moveTo(given);
    await pool.query(
      sql.unsafe`update price_moves set from_at = ${addDays(renewal(3), -1)} where id = ${move.id}`,
    );
    await sweep();
    await advance(one, renewal(3));
    expect(await amountsOf(one)).toEqual([900, 900, 900, 1_100]);
  });

  test('is announced once, even by two concurrent sweeps and after a crash between two subscriptions', async () => {
    const plan = await newPlan();
    const subscribers = [await subscriberOf(plan), await subscriberOf(plan), await subscriberOf(plan)];
    await moveTo(await replacePrice(plan));
    const [first] = await movesToAnnounce(pool, 1);
    await announceMove(pool, String(first?.subscriptionId));
    expect(await movesToAnnounce(pool, 500)).toHaveLength(2);
    await Promise.all([sweep(), sweep()]);
    await sweep();
    for (const { id, shown } of subscribers) {
      expect((await shown())?.price_move).not.toBeNull();
      const told = await pool.oneFirst(
        sql.unsafe`select count(*) from events where aggregate_id = ${id} and type = 'subscription.updated'`,
      );
      expect(Number(told)).toBe(1);
    }
  });

  test('does not charge the new price to a subscriber who cancels at the end of the period before it', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const move = await moveTo(await replacePrice(plan));
    await sweep();
    await advance(one, renewal(1));
    await cancelSubscription(pool, { ...operation(one.id), atPeriodEnd: true });
    expect((await reportPriceMove(pool, move)).refusals).toEqual([
      expect.objectContaining({ subscription_id: one.id, code: 'subscription_cancel_scheduled' }),
    ]);
    await advance(one, renewal(2));
    expect(await amountsOf(one)).toEqual([900, 900]);
    expect(await one.shown()).toMatchObject({ status: 'cancelled', price_move: null });
  });

  test('continues, without another announcement, after a cancellation is undone', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    await moveTo(await replacePrice(plan));
    await sweep();
    const announced = await one.shown();
    await cancelSubscription(pool, { ...operation(one.id), atPeriodEnd: true });
    await undoCancel(pool, operation(one.id));
    await sweep();
    expect(await one.shown()).toEqual(announced);
    await advance(one, renewal(2));
    expect(await amountsOf(one)).toEqual([900, 900, 1_100]);
  });

  test('is announced after a cancellation is undone, with the full notice period', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    await cancelSubscription(pool, { ...operation(one.id), atPeriodEnd: true });
    const move = await moveTo(await replacePrice(plan));
    await sweep();
    expect((await one.shown())?.price_move).toBeNull();
    expect(await reportPriceMove(pool, move)).toMatchObject({
      counts: { refused: 1, waiting: 0, announced: 0 },
      refusals: [{ subscription_id: one.id, code: 'subscription_cancel_scheduled' }],
    });
    await undoCancel(pool, operation(one.id));
    await sweep();
    const from = String((await one.shown())?.price_move?.from);
    expect(from >= addDays(START, 30)).toBe(true);
  });

  test('blocks no other operation, and is dropped on a change to another plan', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const move = await moveTo(await replacePrice(plan));
    await sweep();
    const change = { ...operation(one.id), ...toPlan(plan.other) };
    expect(await scheduleChange(pool, change)).toMatchObject({ kind: 'done' });
    expect((await reportPriceMove(pool, move)).refusals).toMatchObject([
      { code: 'subscription_change_scheduled' },
    ]);
    await advance(one, renewal(2));
    expect(await amountsOf(one)).toEqual([900, 1_900, 1_900]);
    expect((await one.shown())?.price_move).toBeNull();
  });

  test('applies to the renewal’s quantity, as shown by previews and the report', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan, 2);
    const move = await moveTo(await replacePrice(plan));
    await sweep();
    await advance(one, renewal(1));
    const wanted = { type: 'quantity_change', quantity: 5, calculatedAt: null } as const;
    const previewed = await previewChange(pool, {
      subscriptionId: one.id,
      ...wanted,
      effective: 'period_end',
    });
    expect(previewed).toMatchObject({ nextRenewal: { at: renewal(2), total: 5_500 } });
    await scheduleChange(pool, { ...operation(one.id), ...wanted });
    const { sample } = await reportPriceMove(pool, move);
    expect(sample).toMatchObject([{ at: renewal(2), old_total: 4_500, new_total: 5_500 }]);
    await advance(one, renewal(2));
    expect(await amountsOf(one)).toEqual([1_800, 1_800, 5_500]);
  });

  test('is previewed with coupon and quantity exactly as the renewal then charges', async () => {
    const plan = await newPlan();
    const lasting = await insertCoupon(pool, shop, { percent: 50, duration: 'repeating', periods: 3 });
    const ending = await insertCoupon(pool, shop, { percent: 50, duration: 'repeating', periods: 2 });
    const halved = await subscriberOf(plan, 3, { couponCode: lasting.code });
    const whole = await subscriberOf(plan, 3, { couponCode: ending.code });
    const given = await replacePrice(plan);
    const checked = await checkPriceMove(pool, shop.merchantId, given);
    if (typeof checked === 'string') throw new Error(checked);
    const { counts, sample } = await reportPriceMove(pool, checked);
    expect(counts).toEqual({ announced: 0, waiting: 2, moved: 0, refused: 0 });
    await moveTo(given);
    await sweep();
    for (const one of [halved, whole]) {
      await advance(one, renewal(2));
      const invoice = (await invoicesOf(pool, one.id)).at(-1);
      const shown = sample.find(({ subscription_id }) => subscription_id === one.id);
      expect(shown).toMatchObject({ at: invoice?.period_start, new_total: invoice?.amount });
      expect(shown?.old_total).toBe(one === halved ? 1_350 : 2_700);
    }
  });

  test('persists through a pause and the resumption', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    await moveTo(await replacePrice(plan));
    await sweep();
    await pauseSubscription(pool, { ...operation(one.id), resumesAt: null });
    const renewals = async () => (await findSubscriptionDetails(pool, shop, one.id))?.next_renewal;
    expect(await renewals()).toEqual({ at: null, total: 900 });
    await advance(one, addDays(START, 50));
    expect((await one.shown())?.status).toBe('paused');
    expect(await renewals()).toEqual({ at: null, total: 1_100 });
    await resumeSubscription(pool, { ...operation(one.id), calculatedAt: null });
    await one.driver.run();
    expect(await amountsOf(one)).toEqual([900, 1_100]);
  });

  test('that is cancelled outdates earlier previews of a resumption or quantity change', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const other = await subscriberOf(plan);
    const move = await moveTo(await replacePrice(plan));
    await sweep();
    await pauseSubscription(pool, { ...operation(one.id), resumesAt: null });
    await advance(one, addDays(START, 50));
    await advance(other, addDays(START, 40));
    const wanted = { type: 'quantity_change', quantity: 2, calculatedAt: null } as const;
    const change = { subscriptionId: other.id, effective: 'period_end', ...wanted } as const;
    const previews = [await previewResume(pool, one.id), await previewChange(pool, change)] as const;
    expect(previews).toMatchObject([{ total: 1_100 }, { nextRenewal: { total: 2_200 } }]);
    await cancelPriceMove(pool, shop.merchantId, move.id, ACTOR);
    const [resume, quantity] = previews.map((it) => (it.kind === 'calculated' ? it.calculatedAt : null));
    expect([
      await resumeSubscription(pool, { ...operation(one.id), calculatedAt: resume ?? null }),
      await scheduleChange(pool, { ...operation(other.id), ...wanted, calculatedAt: quantity ?? null }),
    ]).toMatchObject([
      { reason: 'preview_outdated', total: 900 },
      { reason: 'preview_outdated', total: 1_800 },
    ]);
  });

  test('keeps its notice period if a subscription’s trial ends early', async () => {
    const plan = await newPlan({ trialPeriodDays: 60 });
    const id = await insertSubscription(pool, shop, plan.productId);
    await moveTo(await replacePrice(plan));
    await sweep();
    expect(await moveTrial(pool, { ...operation(id), endsAt: null })).toMatchObject({ kind: 'done' });
    await driverOf(pool, id, () => APPROVED).run();
    const [invoice] = await invoicesOf(pool, id);
    expect(invoice?.amount).toBe(900);
  });

  test('applies to a past-due subscription, whose open invoice keeps its price', async () => {
    const plan = await newPlan();
    const id = await insertSubscription(pool, shop, plan.productId);
    await beginAt(pool, id, START);
    await moveTo(await replacePrice(plan));
    await sweep();
    const driver = driverOf(pool, id, () => DECLINED);
    await driver.advance(addDays(renewal(1), 1));
    await driverOf(pool, id, () => APPROVED).advance(addDays(renewal(2), 1));
    expect((await invoicesOf(pool, id)).map(({ amount }) => amount)).toEqual([900, 900, 1_100]);
  });

  test('is withdrawn, when cancelled, from subscribers who have not renewed yet', async () => {
    const plan = await newPlan();
    const [moved, left, late] = [
      await subscriberOf(plan),
      await subscriberOf(plan),
      await subscriberOf(plan),
    ];
    const move = await moveTo(await replacePrice(plan));
    await sweep();
    await advance(moved, renewal(2));
    await cancelPriceMove(pool, shop.merchantId, move.id, ACTOR);
    expect((await left.shown())?.price_move).toBeNull();
    await advance(late, renewal(2));
    expect(await amountsOf(late)).toEqual([900, 900, 900]);
    await sweep();
    await sweep();
    expect(await eventTypesOf(pool, left.id)).toEqual([
      ...(await eventTypesOf(pool, left.id)).filter((type) => type !== 'subscription.updated'),
      'subscription.updated',
      'subscription.updated',
    ]);
    await advance(left, renewal(2));
    expect(await amountsOf(left)).toEqual([900, 900, 900]);
    expect(await movesToAnnounce(pool, 500)).toEqual([]);
    await advance(moved, renewal(3));
    expect(await amountsOf(moved)).toEqual([900, 900, 1_100, 1_100]);
  });

  test('is cancelled for subscribers who have not renewed if the old price becomes active again', async () => {
    const plan = await newPlan();
    const announced = await subscriberOf(plan);
    const given = await replacePrice(plan);
    const move = await moveTo(given);
    await sweep();
    const { old_price_id: priceId } = given;
    await setPriceStatus(pool, plan.ref, { priceId, status: 'active' }, ACTOR);
    expect(await auditedOf(move.id)).toEqual([
      'price_move.cancel person:test',
      'price_move.create person:test',
    ]);
    expect((await announced.shown())?.price_move).toBeNull();
    const one = await subscriberOf(plan);
    await sweep();
    expect((await one.shown())?.price_move).toBeNull();
    for (const each of [announced, one]) {
      await advance(each, renewal(2));
      expect(await amountsOf(each)).toEqual([900, 900, 900]);
    }
  });

  test('does not affect a subscriber who changes back to the old price after it has applied', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const given = await replacePrice(plan);
    const first = await moveTo(given);
    await sweep();
    await advance(one, renewal(2));
    const { old_price_id: oldPriceId, new_price_id: newPriceId } = given;
    await setPriceStatus(pool, plan.ref, { priceId: oldPriceId, status: 'active' }, ACTOR);
    await scheduleChange(pool, { ...operation(one.id), ...toPlan(plan.productId) });
    await advance(one, renewal(4));
    expect(await amountsOf(one)).toEqual([900, 900, 1_100, 900, 900]);
    const told = await eventTypesOf(pool, one.id);
    await sweep();
    expect(await eventTypesOf(pool, one.id)).toEqual(told);
    expect(await countsOf(first)).toMatchObject({ announced: 0, moved: 0 });
    await setPriceStatus(pool, plan.ref, { priceId: newPriceId, status: 'active' }, ACTOR);
    const second = await moveTo(given);
    await sweep();
    expect((await one.shown())?.price_move).toMatchObject({ id: second.id });
  });

  test.each(['period_end', 'now'] as const)(
    'is dropped on a change to another price, effective %s',
    async (effective) => {
      const plan = await newPlan();
      const one = await subscriberOf(plan);
      const move = await moveTo(await replacePrice(plan));
      await sweep();
      const change = { ...operation(one.id), ...toPlan(plan.other) };
      if (effective === 'now') await changePlanNow(pool, change);
      else await scheduleChange(pool, change);
      await advance(one, renewal(1));
      expect(await one.shown()).toMatchObject({ product_id: plan.other, price_move: null });
      const known = sql.unsafe`select price_move_id from subscriptions where id = ${one.id}`;
      expect(await pool.oneFirst(known)).toBeNull();
      await cancelPriceMove(pool, shop.merchantId, move.id, ACTOR);
      expect(await movesToAnnounce(pool, 500)).toEqual([]);
    },
  );

  test('is not shown to a subscriber whose new quantity is too large for the new price', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    await moveTo(await replacePrice(plan, 50_000_000));
    await sweep();
    expect((await one.shown())?.price_move).toMatchObject({ amount: 50_000_000 });
    await scheduleChange(pool, {
      ...operation(one.id),
      type: 'quantity_change',
      quantity: 50,
      calculatedAt: null,
    });
    await advance(one, renewal(1));
    expect(await one.shown()).toMatchObject({ quantity: 50, price_move: null });
  });

  test('counts only the subscribers already moved once it is cancelled', async () => {
    const plan = await newPlan();
    const moved = await subscriberOf(plan);
    const left = await subscriberOf(plan);
    const move = await moveTo(await replacePrice(plan));
    await sweep();
    await advance(moved, renewal(2));
    expect(await countsOf(move)).toEqual({ announced: 1, waiting: 0, moved: 1, refused: 0 });
    await cancelPriceMove(pool, shop.merchantId, move.id, ACTOR);
    await cancelSubscription(pool, { ...operation(left.id), atPeriodEnd: true });
    expect(await reportOf(move)).toEqual({
      currency: 'EUR',
      counts: { announced: 0, waiting: 0, moved: 1, refused: 0 },
      sample: [],
      refusals: [],
    });
  });

  test('lists a subscriber whose quantity is too large for the new price', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan, 50);
    const move = await moveTo(await replacePrice(plan, 50_000_000));
    await sweep();
    expect((await reportPriceMove(pool, move)).refusals).toMatchObject([
      { subscription_id: one.id, code: 'subscription_quantity_invalid' },
    ]);
    await advance(one, renewal(2));
    expect(await amountsOf(one)).toEqual([45_000, 45_000, 45_000]);
  });

  test.each([
    ['is about to become', 1, 50],
    ['is still', 50, 1],
  ])('lists a subscriber whose quantity %s too large for the new price', async (_, before, after) => {
    const plan = await newPlan();
    const one = await subscriberOf(plan, before);
    const move = await moveTo(await replacePrice(plan, 50_000_000));
    const wanted = { type: 'quantity_change', quantity: after, calculatedAt: null } as const;
    expect((await scheduleChange(pool, { ...operation(one.id), ...wanted })).kind).toBe('done');
    await sweep();
    expect(await reportOf(move)).toMatchObject({
      counts: { announced: 0, refused: 1 },
      refusals: [{ subscription_id: one.id, code: 'subscription_quantity_invalid' }],
    });
    expect(await one.shown()).toMatchObject({ price_move: null });
  });

  test('is included in the renewal announcement and on the method change page', async () => {
    await createEndpoint(pool, shop, { eventTypes: ['subscription.renewal_upcoming'] });
    const plan = await newPlan();
    const one = await subscriberOf(plan, 2);
    await moveTo(await replacePrice(plan));
    await sweep();
    const nextOnPage = async () => {
      const facts = await pool.oneFirst(
        sql.type(z.object({ facts: z.object({ next: z.unknown() }) }))`
          select ${selectMethodChangeFacts} as facts
          from (select ${one.id} as subscription_id, 'none' as id, null::text as invoice_id) c`,
      );
      return methodChangeFacts.shape.next.parse(facts.next)?.amount;
    };
    expect(await nextOnPage()).toBe(1_800);
    await advance(one, renewal(1));
    expect(await nextOnPage()).toBe(2_200);
    await advance(one, renewal(2));
    expect(await announcedTotals(one)).toEqual([1_800, 2_200]);
    expect(await amountsOf(one)).toEqual([1_800, 1_800, 2_200]);
  });

  test('repeats the announcement of a renewal whose total it changes', async () => {
    await createEndpoint(pool, shop, { eventTypes: ['subscription.renewal_upcoming'] });
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    await one.driver.advance(addDays(renewal(1), -3));
    await advance(one, renewal(1));
    await one.driver.advance(addDays(renewal(2), -5));
    const move = await moveTo(await replacePrice(plan));
    const notice = (days: number) =>
      pool.query(
        sql.unsafe`update price_moves set notice_days = ${days}, from_at = now() where id = ${move.id}`,
      );
    await notice(30);
    await sweep();
    await one.driver.run();
    expect(await announcedTotals(one)).toEqual([900, 900]);
    await pool.query(
      sql.unsafe`update subscriptions set price_move_id = null, price_moves_from = null where id = ${one.id}`,
    );
    await notice(4);
    const [due] = await movesToAnnounce(pool, 500);
    expect(await announceMove(pool, String(due?.subscriptionId))).toBe(true);
    await one.driver.run();
    expect(await announcedTotals(one)).toEqual([900, 900, 1_100]);
    await cancelPriceMove(pool, shop.merchantId, move.id, ACTOR);
    await sweep();
    await one.driver.run();
    expect(await announcedTotals(one)).toEqual([900, 900, 1_100, 900]);
  });

  test('repeats the announcement when a later move replaces it before its withdrawal was announced', async () => {
    await createEndpoint(pool, shop, { eventTypes: ['subscription.renewal_upcoming'] });
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const given = await replacePrice(plan);
    const move = await moveTo(given);
    await sweep();
    await one.driver.advance(addDays(renewal(2), -5));
    expect(await announcedTotals(one)).toEqual([900, 1_100]);
    await cancelPriceMove(pool, shop.merchantId, move.id, ACTOR);
    await moveTo(given);
    await sweep();
    await one.driver.run();
    expect(await announcedTotals(one)).toEqual([900, 1_100, 900]);
  });

  test('applies while a restored copy is fenced, because its lost renewals were charged at the new price', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    await moveTo(await replacePrice(plan));
    await sweep();
    await pool.query(sql.unsafe`
      update subscriptions set price_moves_from = subscription_clock(id) - interval '1 day', announce_at = null,
        current_period_end = date_trunc('milliseconds', subscription_clock(id))
      where id = ${one.id}`);
    const epoch = Number(
      await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } }),
    );
    await skipLostNumbers(pool, epoch);
    await renewPeriod(pool, one.id);
    await liftFence(pool, epoch);
    expect(await amountsOf(one)).toEqual([900, 1_100]);
  });

  test('applies to subscriptions of its environment only', async () => {
    const plan = await newPlan();
    const one = await subscriberOf(plan);
    const given = await replacePrice(plan);
    await moveTo({ ...given, environment: 'production' as 'sandbox' });
    await sweep();
    expect((await one.shown())?.price_move).toBeNull();
  });
});
