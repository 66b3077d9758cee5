/**
 * Random lives of subscriptions with every operation that has a preview. What a preview shows is charged, invoiced and
 * announced to the cent, the next renewal is as shown, and coupon and billing cycles are counted as an independent
 * model counts them. A refund may succeed while a change is being charged.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { recordRefundAnswer } from '../../../db/refund/record-refund.ts';
import { cancelSubscription, undoCancel } from '../../../db/subscription/cancel-subscription.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import type { OperationAnswer } from '../../../db/subscription/core/subscription-operations.ts';
import { moveTrial } from '../../../db/subscription/move-trial.ts';
import { pauseSubscription, resumeSubscription } from '../../../db/subscription/pause-subscription.ts';
import { payInvoice } from '../../../db/subscription/pay-invoice.ts';
import * as previews from '../../../db/subscription/preview-change.ts';
import { findSubscriptionDetails } from '../../../db/subscription/read/subscription-details.ts';
import { cancelChange, scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { CouponBook, type GivenCoupon, givenCoupon } from '../../support/core/coupon-book.ts';
import { APPROVED, DECLINED } from '../../support/db/attempts.ts';
import { insertCoupon } from '../../support/db/coupons.ts';
import { insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { linesOf, storedLine } from '../../support/db/subscription-lives.ts';
import {
  beginAt,
  driverOf,
  insertOffering,
  insertPlan,
  insertSubscription,
} from '../../support/db/subscriptions.ts';

const LASTS_MS = 60_000;
/** On busy cores, a life takes 4 to 12 s. */
const LEAST_LIVES = 30;
/** The plans' prices; one of the plans has a trial. */
const PRICES = [900, 1_900, 2_999, 901] as const;
const TRIAL = 3;
const START = '2044-01-31T09:30:00.000Z';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
const plans: string[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  const offering = await insertOffering(pool, shop.merchantId);
  for (const [number, amount] of PRICES.entries()) {
    const price = { ...RECURRING, amount, trialPeriodDays: number === TRIAL ? 14 : null };
    plans.push(await insertPlan(pool, shop.merchantId, offering, price, { min: 1, max: 20 }));
  }
});
afterAll(() => database?.close());

const days = fc.integer({ min: 1, max: 40 });
const target = fc.oneof(
  fc.record({ plan: fc.nat(PRICES.length - 1) }),
  fc.record({ quantity: fc.integer({ min: 1, max: 20 }) }),
);
const deed = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('wait' as const),
      share: fc.double({ min: 0, max: 0.9, noNaN: true }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('renew' as const), declines: fc.boolean(), pays: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ what: fc.constant('change' as const), to: target, refunds: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('schedule' as const), to: target }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('pause' as const), days: fc.option(days) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('moveTrial' as const), days: fc.option(days) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom('resume', 'endsLater', 'undo', 'withdraw') }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer One> ? One : never;

test(
  'previews are charged, invoiced and announced to the cent in random lives with every operation',
  async () => {
    const end = performance.now() + LASTS_MS;
    let lives = 0;
    const life = fc.asyncProperty(
      fc.constantFrom(0, 0, TRIAL),
      fc.option(givenCoupon, { freq: 2 }),
      fc.option(fc.integer({ min: 1, max: 4 })),
      fc.array(deed, { minLength: 4, maxLength: 16 }),
      async (...of) => {
        if (lives >= LEAST_LIVES && performance.now() > end) return;
        await live(...of);
        lives += 1;
      },
    );
    await fc.assert(life, { numRuns: 500, endOnFailure: true });
  },
  15 * LASTS_MS,
);

async function live(first: number, given: GivenCoupon | null, cycles: number | null, deeds: readonly Deed[]) {
  const coupon = given && (await insertCoupon(pool, shop, termsOf({ ...given, plans: null })));
  const book = new CouponBook(given && { ...given, plans: null });
  const code = coupon ? { couponCode: coupon.code } : {};
  const subscriptionId = await insertSubscription(pool, shop, plans[first] ?? '', null, code);
  if (first !== TRIAL) await beginAt(pool, subscriptionId, START);
  await pool.query(sql.unsafe`
    update subscriptions set billing_cycles_left = ${cycles} where id = ${subscriptionId}`);
  let declines = false;
  const driver = driverOf(pool, subscriptionId, () => (declines ? DECLINED : APPROVED));
  const one = { subscriptionId };
  let has = { plan: first, quantity: 1 };
  let scheduled: { readonly id: string; readonly terms: typeof has } | null = null;
  let cyclesLeft = cycles;
  let known = first === TRIAL ? 0 : 1;
  if (first !== TRIAL) book.beginPeriod();

  for (const each of deeds) {
    if ((await show()).status === 'cancelled') return;
    await act(each);
    await agree();
  }

  async function act(each: Deed): Promise<void> {
    const { current_period_end: end, clock } = await show();
    const by = { ...one, operationKey: randomUUID() };
    switch (each.what) {
      case 'wait': {
        const ms = Date.parse(end ?? clock) - Date.parse(clock);
        if (ms > 120_000)
          await driver.advance(new Date(Date.parse(clock) + each.share * (ms - 60_000)).toISOString());
        return;
      }
      case 'renew':
        return renew(each.declines, each.pays);
      case 'change': {
        const wanted = { ...one, ...wantedOf(each.to) };
        const seen = await previews.previewChange(pool, { ...wanted, effective: 'now', calculatedAt: null });
        const answer = await changePlanNow(pool, { ...by, ...wanted, calculatedAt: instantOf(seen) });
        if (!isDone(seen, answer)) return;
        if (each.refunds) await refund();
        if ('plan' in each.to && each.to.plan !== has.plan) book.changePlan(each.to.plan);
        has = { ...has, ...each.to };
        await driver.run();
        return begun(seen);
      }
      case 'schedule': {
        const wanted = { ...one, ...wantedOf(each.to) };
        const seen = await previews.previewChange(pool, {
          ...wanted,
          effective: 'period_end',
          calculatedAt: null,
        });
        const answer = await scheduleChange(pool, { ...by, ...wanted, calculatedAt: instantOf(seen) });
        if (!isDone(seen, answer)) return;
        scheduled = { id: changeOf(answer), terms: { ...has, ...each.to } };
        return renews(seen);
      }
      case 'withdraw':
        if (scheduled) await cancelChange(pool, { ...by, changeId: scheduled.id });
        scheduled = null;
        return;
      case 'pause': {
        const resumesAt = each.days === null ? null : addDays(end && end > clock ? end : clock, each.days);
        const seen = await previews.previewPause(pool, { ...one, resumesAt });
        if (isDone(seen, await pauseSubscription(pool, { ...by, resumesAt }))) await renews(seen);
        return;
      }
      case 'resume': {
        const wasPaused = (await show()).status === 'paused';
        const seen = await previews.previewResume(pool, subscriptionId);
        if (!isDone(seen, await resumeSubscription(pool, { ...by, calculatedAt: instantOf(seen) }))) return;
        await driver.run();
        return wasPaused ? beginsPeriod(seen) : renews(seen);
      }
      case 'endsLater': {
        const seen = await previews.previewCancel(pool, { ...one, atPeriodEnd: true });
        const wasPaused = (await show()).status === 'paused';
        const answer = await cancelSubscription(pool, {
          ...by,
          atPeriodEnd: true,
          calculatedAt: instantOf(seen),
        });
        if (isDone(seen, answer) && !wasPaused)
          expect(await show()).toMatchObject({ ends_at: seen.effectiveAt });
        return;
      }
      case 'undo': {
        const seen = await previews.previewUndoCancel(pool, subscriptionId);
        if (isDone(seen, await undoCancel(pool, by))) await renews(seen);
        return;
      }
      case 'moveTrial': {
        const endsAt = each.days === null ? null : addDays(clock, each.days);
        const seen = await previews.previewMoveTrial(pool, { ...one, endsAt });
        if (!isDone(seen, await moveTrial(pool, { ...by, endsAt, calculatedAt: instantOf(seen) }))) return;
        await driver.run();
        return endsAt === null ? beginsPeriod(seen) : renews(seen);
      }
    }
  }

  /** Crosses one boundary; a declined charge is requested again, or retried after two days. */
  async function renew(declined: boolean, pays: boolean): Promise<void> {
    const { current_period_end: end, next_renewal: next, status } = await show();
    const at = next?.at ?? (status === 'paused' ? null : end);
    if (!at) return;
    declines = declined;
    await driver.advance(new Date(Date.parse(at) + 3_600_000).toISOString());
    declines = false;
    const unpaid = (await invoices()).find((invoice) => invoice.status === 'payment_failed');
    if (unpaid && pays) {
      await payInvoice(pool, { ...one, operationKey: randomUUID(), invoiceId: unpaid.id });
      await driver.run();
    } else if (unpaid) await driver.advance(addDays(at, 3));
    if (next?.at) await beginsPeriod({ total: next.total, effectiveAt: at });
  }

  /** Begins a period in the model, and expects its charge: the plan's price times the quantity, less the coupon. */
  async function beginsPeriod(seen: { readonly total: number; readonly effectiveAt: string }): Promise<void> {
    if (scheduled && scheduled.terms.plan !== has.plan) book.changePlan(scheduled.terms.plan);
    has = scheduled?.terms ?? has;
    scheduled = null;
    book.beginPeriod();
    expect(seen.total).toBe(book.priceOf(PRICES[has.plan] ?? 0, has.quantity));
    if (cyclesLeft !== null && seen.total > 0) cyclesLeft -= 1;
    await begun(seen);
  }

  async function begun(seen: { readonly total: number; readonly effectiveAt: string }): Promise<void> {
    known += 1;
    const newest = (await invoices()).at(-1);
    expect(newest).toMatchObject({ amount: seen.total, start: seen.effectiveAt, status: 'created' });
    if ('lines' in seen) expect(newest?.lines).toEqual(linesOf(seen as previews.PreviewedChange));
    if ('nextRenewal' in seen) await renews(seen as previews.PreviewedChange);
  }

  async function renews({ nextRenewal }: previews.PreviewedChange): Promise<void> {
    const { next_renewal: next } = await show();
    expect(next?.at ? next : null).toEqual(nextRenewal);
  }

  /** Invoices, payments, events and counts agree. */
  async function agree(): Promise<void> {
    const all = await invoices();
    expect(all).toHaveLength(known);
    for (const { lines, amount, paid, announced } of all) {
      expect(lines.reduce((sum, line) => sum + line.amount, 0)).toBe(amount);
      expect([paid, announced]).toEqual([amount, amount]);
    }
    const { status, billing_cycles_left: left } = await show();
    if (status !== 'cancelled') expect(left).toBe(cyclesLeft);
  }

  /** Refunds as much as possible of the oldest charge for the period. */
  async function refund(): Promise<void> {
    const of = (await invoices()).findLast(({ payment, amount }) => payment !== null && amount > 0);
    if (!of?.payment) return;
    await pool.query(sql.unsafe`update payments set rail_order_id = 'order' where id = ${of.payment}`);
    const request = {
      scope: shop,
      operationId: randomUUID(),
      of: { paymentId: of.payment },
      railNames: ['sandbox'],
    };
    const made = await createRefund(pool, { ...request, amount: null, currency: null, reason: null });
    if (typeof made === 'string')
      return expect(['refund_amount_exceeds_payment', 'payment_not_refundable']).toContain(made);
    const answer = { attemptId: made.id, outcome: { kind: 'succeeded' }, details: null } as const;
    await recordRefundAnswer(pool, {
      ...answer,
      ownerId: made.id,
      lookupTimeUp: false,
      nextLookupSeconds: 2,
    });
  }

  async function show() {
    const found = await findSubscriptionDetails(pool, shop, subscriptionId);
    if (!found) throw new Error('the subscription is gone');
    return found;
  }

  function invoices() {
    return pool.any(sql.type(invoiceRow)`
      select i.id, i.status, i.amount, i.period_start as start, i.line_items as lines, p.id as payment,
        coalesce(p.amount, 0) as paid, coalesce((select (body::jsonb #>> '{charge,amount}')::int from events
          where type = 'payment.succeeded' and body::jsonb #>> '{payment,id}' = p.id), 0) as announced
      from invoices i
      left join payments p on p.invoice_id = i.id and p.status in ('succeeded', 'partially_refunded', 'refunded')
      where i.subscription_id = ${subscriptionId} and i.status <> 'void' order by i.period_start`);
  }
}

/** An operation does what its preview shows, or is refused with the same code. */
function isDone(
  seen: Awaited<ReturnType<typeof previews.previewCancel>>,
  answer: OperationAnswer,
): seen is previews.PreviewedChange {
  if (seen.kind === 'refused') expect(answer).toMatchObject({ kind: 'refused', reason: seen.reason });
  else expect(answer.kind).toBe('done');
  return seen.kind === 'calculated';
}

const changeOf = (answer: OperationAnswer) => (answer.kind === 'done' ? (answer.changeId ?? '') : '');
const instantOf = (seen: Awaited<ReturnType<typeof previews.previewCancel>>) =>
  seen.kind === 'calculated' ? seen.calculatedAt : null;

function wantedOf(to: { readonly plan: number } | { readonly quantity: number }) {
  return 'plan' in to
    ? ({ type: 'plan_change', targetPlanId: plans[to.plan] ?? '', targetOfferingId: null } as const)
    : ({ type: 'quantity_change', quantity: to.quantity } as const);
}

function termsOf({ deduction, duration, periods }: GivenCoupon): object {
  return { ...deduction, duration, ...(duration === 'repeating' && { periods }) };
}

const invoiceRow = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.number(),
  start: z.string().nullable(),
  lines: z.array(storedLine),
  payment: z.string().nullable(),
  paid: z.number(),
  announced: z.number(),
});
