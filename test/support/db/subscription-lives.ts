/**
 * Random lives of subscriptions in the database: the amount of each preview is charged, invoiced and announced, and
 * each renewal is the price times the quantity less the coupon in force.
 */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { changePlanNow } from '../../../db/subscription/change-now.ts';
import { type PreviewedChange, previewChange } from '../../../db/subscription/preview-change.ts';
import { scheduleChange } from '../../../db/subscription/subscription-changes.ts';
import { addDays } from '../../../domain/core/calendar.ts';
import { CouponBook, type GivenCoupon, givenCoupon, PLANS } from '../core/coupon-book.ts';
import { APPROVED, DECLINED, recordRefund } from './attempts.ts';
import { insertCoupon } from './coupons.ts';
import { insertDispute } from './disputes.ts';
import { RECURRING, type Shop } from './fixtures.ts';
import { beginAt, driverOf, insertOffering, insertPlan, insertSubscription } from './subscriptions.ts';
import { createEndpoint } from './webhooks.ts';

/** Prices of the plans; the last one is billed yearly. */
const PRICES = [900, 1_900, 2_999, 9_001] as const;
const YEARLY = PLANS - 1;

const share = fc.double({ min: 0, max: 0.95, noNaN: true });
const target = fc.oneof(
  fc.record({ plan: fc.nat(PLANS - 1) }),
  fc.record({ quantity: fc.integer({ min: 1, max: 50 }) }),
);
type Target = { readonly plan: number } | { readonly quantity: number };

type Deed =
  | { readonly what: 'wait'; readonly share: number }
  | { readonly what: 'change'; readonly to: Target; readonly isDeclined: boolean }
  | { readonly what: 'schedule'; readonly to: Target }
  /** Refunds one of the charges, by number, in part or in full. */
  | { readonly what: 'refund'; readonly charge: number; readonly share: number }
  | { readonly what: 'dispute'; readonly isWon: boolean }
  | { readonly what: 'renew'; readonly isDeclined: boolean };

const isDeclined = fc.nat(4).map((n) => n === 0);
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ what: fc.constant('wait'), share }) },
  { weight: 5, arbitrary: fc.record({ what: fc.constant('change'), to: target, isDeclined }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('schedule'), to: target }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('refund'),
      charge: fc.nat(5),
      share: fc.oneof(share, fc.constant(1)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('dispute'), isWon: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('renew'), isDeclined }) },
);
/** Includes month ends and leap days. All starts are in the future, so that the clock is moved. */
const start = fc
  .tuple(fc.integer({ min: 0, max: 47 }), fc.integer({ min: 1, max: 31 }), fc.nat(86_399_999))
  .map(([month, day, ms]) => new Date(Date.UTC(2044, month, day) + ms).toISOString());

export async function checkStoredLives(pool: Pool, shop: Shop, numRuns: number): Promise<void> {
  const offering = await insertOffering(pool, shop.merchantId);
  const plans: string[] = [];
  for (const [number, amount] of PRICES.entries()) {
    const price = { ...RECURRING, amount, interval: number === YEARLY ? 'year' : 'month' } as const;
    plans.push(await insertPlan(pool, shop.merchantId, offering, price, { min: 1, max: 50 }));
  }
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  await createEndpoint(pool, shop, { eventTypes: ['subscription.renewal_upcoming'] });
  const life = fc.asyncProperty(
    start,
    fc.option(givenCoupon, { freq: 6 }),
    fc.array(deed, { minLength: 3, maxLength: 12 }),
    (at, coupon, deeds) => live({ pool, shop, plans }, at, coupon, deeds),
  );
  await fc.assert(life, { numRuns, endOnFailure: numRuns > 50 });
}

interface World {
  readonly pool: Pool;
  readonly shop: Shop;
  readonly plans: readonly string[];
}

async function live(
  { pool, shop, plans }: World,
  startAt: string,
  given: GivenCoupon | null,
  deeds: readonly Deed[],
): Promise<void> {
  const coupon = given && (await insertCoupon(pool, shop, fieldsOf(given, plans)));
  // Begins with a plan that the coupon applies to; no other can be bought with it.
  let has = { plan: given?.plans?.[0] ?? 0, quantity: 1 };
  const code = coupon ? { couponCode: coupon.code } : {};
  const subscriptionId = await insertSubscription(pool, shop, plans[has.plan] ?? '', null, code);
  await beginAt(pool, subscriptionId, startAt);
  const book = new CouponBook(given);
  book.beginPeriod();
  let scheduled: typeof has | null = null;
  let declines = false;
  const driver = driverOf(pool, subscriptionId, () => {
    const answer = declines ? DECLINED : APPROVED;
    declines = false;
    return answer;
  });
  await agrees(priceOf(has));

  for (const one of deeds) {
    if (one.what === 'wait') await wait(one.share);
    else if (one.what === 'change') await change(one.to, one.isDeclined);
    else if (one.what === 'schedule') await schedule(one.to);
    else if (one.what === 'refund') await refund(one.charge, one.share);
    else if (one.what === 'dispute') await disputed(one.isWon);
    else await renew(one.isDeclined);
    await creditsAreCovered();
  }
  await renew(false);

  async function change(to: Target, declined: boolean): Promise<void> {
    const wanted = wantedOf(to);
    const previewed = await previewChange(pool, { ...wanted, effective: 'now', calculatedAt: null });
    if (previewed.kind === 'calculated') await creditsWhatIsKept(previewed);
    const invoices = (await invoicesOf()).length;
    const calculatedAt = previewed.kind === 'calculated' ? previewed.calculatedAt : null;
    const answer = await changePlanNow(pool, { ...wanted, operationKey: randomUUID(), calculatedAt });
    if (previewed.kind === 'refused') {
      expect(answer).toMatchObject({ kind: 'refused', reason: previewed.reason });
      return;
    }
    // A change with a valid preview is refused only after too many failed changes on one day.
    if (answer.kind === 'refused') return expect(answer.reason).toBe('attempts_of_today');
    declines = declined;
    await driver.run();
    declines = false;
    const charged = (await invoicesOf()).slice(invoices);
    if (declined) return expect(charged).toMatchObject([{ status: 'void', paid: 0 }]);
    expect(charged).toMatchObject([{ status: 'created', amount: previewed.total, paid: previewed.total }]);
    expect(charged[0]?.lines).toEqual(linesOf(previewed));
    const isOther = chosen(to).plan !== has.plan;
    if (isOther) book.changePlan(chosen(to).plan);
    if ((chosen(to).plan === YEARLY) !== (has.plan === YEARLY)) book.beginPeriod();
    has = chosen(to);
    expect(await announced()).toEqual(previewed.total);
    await agrees(null);
  }

  /** Checks the credit: the unused share of each charge for the period, less refunds and disputes. */
  async function creditsWhatIsKept({ lines, calculatedAt: at }: PreviewedChange): Promise<void> {
    const { currentPeriodEnd } = await driver.view();
    const charges = await succeeded();
    const replaced = charges.filter(({ end }) => end > at);
    // The unused share of a charge for another interval is carried over: only the lives without a database
    // compute that.
    const since = replaced.at(-1)?.start ?? at;
    if (charges.some(({ end }) => end > since && end !== currentPeriodEnd)) return;
    const seconds = (from: string, to: string) =>
      Math.floor(Date.parse(to) / 1_000) - Math.floor(Date.parse(from) / 1_000);
    const unused = replaced.reduce(
      (sum, { left, start, end }) => sum + (left * seconds(at, end)) / seconds(start, end),
      0,
    );
    const credit = 0 - (lines.find(({ key }) => key === 'unused')?.amount ?? 0);
    expect(Math.abs(credit - unused)).toBeLessThanOrEqual(replaced.length / 2 + 1e-6);
  }

  async function schedule(to: Target): Promise<void> {
    const wanted = wantedOf(to);
    const previewed = await previewChange(pool, { ...wanted, effective: 'period_end', calculatedAt: null });
    const calculatedAt = previewed.kind === 'calculated' ? previewed.calculatedAt : null;
    const answer = await scheduleChange(pool, { ...wanted, operationKey: randomUUID(), calculatedAt });
    expect(answer.kind === 'refused').toBe(previewed.kind === 'refused');
    if (answer.kind === 'refused') return;
    scheduled = chosen(to);
  }

  /** Ends the period; a declined charge is repeated two days later. */
  async function renew(declined: boolean): Promise<void> {
    const { currentPeriodEnd: end, status } = await driver.view();
    if (end === null || status !== 'active') return;
    const next = scheduled ?? has;
    if (next.plan !== has.plan) book.changePlan(next.plan);
    book.beginPeriod();
    [has, scheduled] = [next, null];
    declines = declined;
    await driver.advance(addDays(end, 3));
    declines = false;
    await agrees(priceOf(has));
  }

  async function wait(part: number): Promise<void> {
    const { currentPeriodEnd: end } = await driver.view();
    const now = await clock();
    const left = Date.parse(end ?? now) - Date.parse(now);
    if (left > 120_000)
      await driver.advance(new Date(Date.parse(now) + part * (left - 60_000)).toISOString());
  }

  async function refund(number: number, part: number): Promise<void> {
    const charges = await succeeded();
    const of = charges[number % charges.length];
    const amount = of ? Math.floor(of.left * part) : 0;
    if (!of || amount < 1) return;
    await pool.query(sql.unsafe`update payments set rail_order_id = 'order' where id = ${of.id}`);
    const refund = await createRefund(pool, {
      scope: shop,
      operationId: randomUUID(),
      of: { paymentId: of.id },
      amount,
      currency: null,
      reason: null,
      railNames: ['sandbox'],
    });
    if (typeof refund === 'string')
      return expect(['refund_amount_exceeds_payment', 'payment_disputed']).toContain(refund);
    await recordRefund(pool, refund.id, { kind: 'succeeded' });
  }

  /** A change credits at most what is kept of the charge before it, plus the credit that paid part of that charge. */
  async function creditsAreCovered(): Promise<void> {
    let [kept, credited] = [0, 0];
    for (const charge of (await succeeded()).toReversed()) {
      if (charge.refunded === charge.amount) continue;
      if (charge.credit > 0) expect(charge.credit).toBeLessThanOrEqual(kept + credited);
      [kept, credited] = [charge.amount - charge.refunded, charge.credit];
    }
  }

  async function disputed(isWon: boolean): Promise<void> {
    const [last] = await succeeded();
    if (!last || last.left < 1) return;
    const status = isWon ? 'won' : 'open';
    await insertDispute(pool, shop, last.id, { railDisputeId: `dp_${last.id}`, amount: last.amount, status });
  }

  /** Checks the newest invoice that is not void: its lines, its status, its payment and, unless null, its total. */
  async function agrees(total: number | null): Promise<void> {
    const newest = (await invoicesOf()).filter(({ status }) => status !== 'void').at(-1);
    expect(newest?.lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(newest?.amount);
    expect(newest).toMatchObject({ status: 'created', amount_due: 0, paid: newest?.amount });
    if (total !== null) expect(newest?.amount).toBe(total);
  }

  function priceOf({ plan, quantity }: typeof has): number {
    return book.priceOf(PRICES[plan] ?? 0, quantity);
  }

  function chosen(to: Target): typeof has {
    return { ...has, ...to };
  }

  function wantedOf(to: Target) {
    return 'plan' in to
      ? ({
          subscriptionId,
          type: 'plan_change',
          targetPlanId: plans[to.plan] ?? '',
          targetOfferingId: null,
        } as const)
      : ({ subscriptionId, type: 'quantity_change', quantity: to.quantity } as const);
  }

  function clock(): Promise<string> {
    return pool.oneFirst(
      sql.type(z.object({ now: z.string() }))`select subscription_clock(${subscriptionId}) as now`,
    );
  }

  function invoicesOf() {
    return pool.any(sql.type(invoiceRow)`
      select i.status, i.amount, i.amount_due, i.line_items as lines,
        coalesce((select sum(amount) from payments where invoice_id = i.id
          and status in ('succeeded', 'partially_refunded', 'refunded')), 0)::int as paid
      from invoices i where i.subscription_id = ${subscriptionId} order by i.created_at, i.period_start`);
  }

  /** Successful charges, newest first, each with the amount left after refunds and disputes. */
  function succeeded() {
    return pool.any(sql.type(charge)`
      select p.id, p.amount, p.refunded_amount as refunded,
        greatest(0, -(i.line_items -> 0 ->> 'amount')::int) as credit, i.period_start as start, i.period_end as end, greatest(0, p.amount
        - coalesce((select sum(amount) from refunds where payment_id = p.id and status <> 'failed'), 0)
        - coalesce((select sum(amount) from disputes where payment_id = p.id and status in ('open', 'lost')), 0))::int as left
      from payments p join invoices i on i.id = p.invoice_id
      where i.subscription_id = ${subscriptionId} and p.amount > 0
        and p.status in ('succeeded', 'partially_refunded', 'refunded')
      order by i.period_start desc`);
  }

  /** The amount in the newest event of a payment. */
  function announced(): Promise<number> {
    return pool.oneFirst(sql.type(z.object({ amount: z.number() }))`
      select (body::jsonb #>> '{charge,amount}')::int as amount from events
      where body::jsonb #>> '{subscription,id}' = ${subscriptionId} and type = 'payment.succeeded'
      order by occurred_at desc, created_at desc limit 1`);
  }
}

export const storedLine = z.object({
  quantity: z.number(),
  unit_amount: z.number(),
  amount: z.number(),
  tax_rate: z.number(),
  tax_amount: z.number(),
});
const charge = z.object({
  id: z.string(),
  amount: z.number(),
  refunded: z.number(),
  credit: z.number(),
  start: z.string(),
  end: z.string(),
  left: z.number(),
});
const invoiceRow = z.object({
  status: z.string(),
  amount: z.number(),
  amount_due: z.number(),
  lines: z.array(storedLine),
  paid: z.number(),
});

/** The lines of a preview as its invoice stores them. */
export function linesOf({ lines }: PreviewedChange): readonly z.infer<typeof storedLine>[] {
  return lines.map(({ quantity, unitAmount, amount, taxRate, taxAmount }) => ({
    quantity,
    unit_amount: unitAmount,
    amount,
    tax_rate: taxRate,
    tax_amount: taxAmount,
  }));
}

function fieldsOf(
  { deduction, duration, periods, plans: numbers }: GivenCoupon,
  plans: readonly string[],
): object {
  return {
    ...deduction,
    duration,
    ...(duration === 'repeating' && { periods }),
    product_ids: numbers?.map((number) => plans[number]),
  };
}
