/**
 * Random lives of one subscription, without a database. An independent ledger computes the price that each period must
 * have, from price, quantity and coupon, and the value of the used time in fractions of cents.
 */
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { type CouponInForce, couponFor } from '../../../domain/catalogue/coupon.ts';
import { type Interval, periodFrom } from '../../../domain/core/calendar.ts';
import { changeNow, keepsPeriod } from '../../../domain/subscription/change-now.ts';
import { type Calculation, calculate, type Period } from '../../../domain/subscription/proration.ts';
import { CouponBook, type GivenCoupon, givenCoupon, PLANS } from './coupon-book.ts';

interface Plan {
  readonly id: string;
  readonly unitAmount: number;
  readonly taxRate: number;
  readonly every: { readonly interval: Interval; readonly intervalCount: number };
}

const share = fc.double({ min: 0, max: 0.999, noNaN: true });
const quantity = fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 1_000 }));
const target = { plan: fc.nat(PLANS - 1), quantity };

const every = fc
  .constantFrom<readonly [Interval, number]>(['day', 1], ['week', 1], ['month', 1], ['month', 3], ['year', 1])
  .map(([interval, intervalCount]) => ({ interval, intervalCount }));
const price = fc.record({
  unitAmount: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 99_999 })),
  taxRate: fc.constantFrom(0, 7, 19, 20, 5.5),
  // Null stands for the common interval, so that most changes keep the interval.
  every: fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, every),
});
const plans = fc
  .tuple(every, fc.array(price, { minLength: PLANS, maxLength: PLANS }))
  .map(([own, prices]) =>
    prices.map((one, n): Plan => ({ ...one, id: `plan-${n}`, every: one.every ?? own })),
  );

type Deed =
  /** `after`: the share of the remaining time that passes first; 0 for the instant of the previous charge. */
  | { readonly what: 'change'; readonly plan: number; readonly quantity: number; readonly after: number }
  | { readonly what: 'schedule'; readonly plan: number; readonly quantity: number }
  /** A refund or a dispute of one of the period's charges, by number. */
  | { readonly what: 'takeBack'; readonly charge: number; readonly share: number }
  /** A dispute that is won: undoes a `takeBack`. */
  | { readonly what: 'giveBack'; readonly charge: number }
  | { readonly what: 'renew' };

const deed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constant('change'), ...target, after: fc.oneof(fc.constant(0), share) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('schedule'), ...target }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('takeBack'), charge: fc.nat(5), share }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('giveBack'), charge: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('renew') }) },
);

/** Anchors include month ends, leap days, and the hours in which clocks are moved. */
const anchor = fc
  .record({
    month: fc.integer({ min: 0, max: 59 }),
    day: fc.integer({ min: 1, max: 31 }),
    ms: fc.nat(86_399_999),
  })
  .map(({ month, day, ms }) => new Date(Date.UTC(2027, month, day) + ms).toISOString());

export function checkLives(numRuns: number): void {
  const coupon = fc.option(givenCoupon, { freq: 3 });
  fc.assert(fc.property(anchor, plans, coupon, fc.array(deed, { maxLength: 14 }), live), { numRuns });
}

interface Charge extends Period {
  readonly charged: number;
  readonly credited: number;
  readonly taken: number;
  readonly taxRate: number;
  /** The share of the charge that was unused at the latest change; each change lowers it. */
  readonly left: number;
}

/** The largest rounding of a line, in cents. */
const HALF = 0.5 + 1e-6;

function live(
  start: string,
  known: readonly Plan[],
  given: GivenCoupon | null,
  deeds: readonly Deed[],
): void {
  const book = new CouponBook(given);
  let coupon: CouponInForce | null = given && { terms: termsOf(given), usedPeriods: 0 };
  let has = { plan: 0, quantity: 1 };
  let scheduled: typeof has | null = null;
  let charges: Charge[] = [];
  /** Whether money of this period was taken back and then came back to the merchant, after a later change. */
  let cameBack = false;
  let [billed, lines, used, takenBack] = [0, 0, 0, 0];
  let anchorAt = start;
  let period: Period = { start, end: start };
  /** The current terms: since when they apply, and the price of a whole period of them. */
  let uses = { since: start, of: period, price: 0 };
  renew();

  for (const one of deeds) {
    if (one.what === 'renew') renew();
    else if (one.what === 'schedule') scheduled = { plan: one.plan, quantity: one.quantity };
    else if (one.what === 'change') change(one, one.after);
    else if (one.what === 'takeBack')
      take(one.charge, ({ charged, taken }) => Math.floor((charged - taken) * one.share));
    else take(one.charge, ({ taken }) => -taken);
  }
  use(period.end);
  // The price of the used time, within half a cent per line. Returned money is not credited again, so it raises later
  // charges, at most by its own amount.
  expect(billed).toBeGreaterThanOrEqual(used - lines * HALF);
  expect(billed).toBeLessThanOrEqual(used + takenBack + lines * HALF);

  /** Invoice lines per price: one, plus one for a coupon. */
  function priceLines(): number {
    return coupon ? 2 : 1;
  }

  function plan(number: number): Plan {
    return known[number] as Plan;
  }

  function renew(): void {
    if (period.end !== period.start) use(period.end);
    const next = scheduled ?? has;
    const isOther = next.plan !== has.plan;
    const { every: cadence, id, ...terms } = plan(next.plan);
    // A period of days or weeks sets a new anchor; one of months keeps an anchor that lies whole months before it.
    const renewed = periodFrom(anchorAt, period.end, cadence.interval, cadence.intervalCount);
    [period, anchorAt] = [{ start: renewed.start, end: renewed.end }, renewed.anchor];
    coupon = couponFor(coupon, { targetPlanId: isOther ? id : null, beginsPeriod: true });
    if (isOther) book.changePlan(next.plan);
    book.beginPeriod();
    [has, scheduled, charges, cameBack] = [next, null, [], false];
    const charge = calculate({
      terms: { ...terms, quantity: next.quantity, coupon: coupon?.terms.deduction ?? null },
      period,
    });
    // After any sequence, the charge is the price times the quantity, less the coupon in force.
    expect(charge.total).toBe(book.priceOf(terms.unitAmount, next.quantity));
    uses = { since: period.start, of: period, price: charge.total };
    bill(charge, period, priceLines());
  }

  function change(to: typeof has, after: number): void {
    const at = later(after);
    const isOther = to.plan !== has.plan;
    const there = priced(to, at, charges);
    checkLines(there);
    // The unused share of each charge, less the amount returned. Money that came back after a change is not credited.
    const credit = creditOf(there);
    const isLeft = shareLeft(1, at, { start: uses.since, end: period.end });
    const unused = charges.reduce(
      (sum, { charged, taken, left }) => sum + (charged - taken) * left * isLeft,
      0,
    );
    expect(credit - unused).toBeLessThanOrEqual(charges.length * HALF);
    if (!cameBack) expect(unused - credit).toBeLessThanOrEqual(charges.length * HALF);
    expect(credit).toBeLessThanOrEqual((charges.at(-1)?.charged ?? 0) + (charges.at(-1)?.credited ?? 0));
    // Changing back at the same instant costs nothing: the charge for the time ahead is credited, to the cent.
    const restOfNew = there.total + credit;
    const back = priced(has, at, [...charges, chargeOf(there, there.period)]);
    expect(creditOf(back)).toBe(restOfNew);
    // Only changes that cost something take effect immediately.
    if (there.total <= 0) return;
    use(at);
    charges = charges.map((charge) => ({ ...charge, left: charge.left * isLeft }));
    const keeps = keepsPeriod(plan(has.plan).every, plan(to.plan).every);
    coupon = couponFor(coupon, { targetPlanId: isOther ? plan(to.plan).id : null, beginsPeriod: !keeps });
    if (isOther) book.changePlan(to.plan);
    if (!keeps) {
      book.beginPeriod();
      [period, anchorAt] = [there.period, at];
    }
    const whole = book.priceOf(plan(to.plan).unitAmount, to.quantity);
    expect(Math.abs(restOfNew - shareLeft(whole, at, period))).toBeLessThanOrEqual(priceLines() * HALF);
    uses = { since: at, of: period, price: whole };
    // The service allows only one of an immediate and a scheduled change; here the immediate one cancels the other.
    [has, scheduled] = [to, null];
    bill(there, there.period, 1 + priceLines());
  }

  function priced(to: typeof has, at: string, paid: readonly Charge[]) {
    const { every: cadence, id, ...terms } = plan(to.plan);
    const before = plan(has.plan).every;
    const beginsPeriod = !keepsPeriod(before, cadence);
    const isOther = to.plan !== has.plan;
    const left = couponFor(coupon, { targetPlanId: isOther ? id : null, beginsPeriod });
    return changeNow({
      terms: { ...terms, quantity: to.quantity, coupon: left?.terms.deduction ?? null },
      every: cadence,
      before,
      period,
      at,
      paid: paid.map(({ charged, taken, left: _, ...part }) => ({ ...part, paid: charged - taken })),
    });
  }

  function later(after: number): string {
    const since = Date.parse(charges.at(-1)?.start ?? period.start);
    return new Date(since + Math.floor(after * (Date.parse(period.end) - since))).toISOString();
  }

  /** Adds the price of the time used until an instant. */
  function use(until: string): void {
    const { since, of, price: whole } = uses;
    used += shareLeft(whole, since, of) - shareLeft(whole, until, of);
  }

  /** @param rounded the number of lines that were rounded, including those left out because they became 0 */
  function bill(calculation: Calculation, of: Period, rounded: number): void {
    checkLines(calculation);
    expect(calculation.lines.length).toBeLessThanOrEqual(rounded);
    billed += calculation.total;
    lines += rounded;
    charges = [...charges, chargeOf(calculation, of)];
  }

  function take(number: number, amountOf: (charge: Charge) => number): void {
    charges = charges.map((charge, n) => {
      if (n !== number % charges.length) return charge;
      const amount = amountOf(charge);
      takenBack += Math.max(0, amount);
      cameBack ||= amount < 0 && n < charges.length - 1;
      return { ...charge, taken: charge.taken + amount };
    });
  }
}

function termsOf({ deduction, duration, periods, plans: numbers }: GivenCoupon): CouponInForce['terms'] {
  const productIds = numbers?.map((number) => `plan-${number}`) ?? null;
  return duration === 'repeating'
    ? { deduction, duration, periods, productIds }
    : { deduction, duration, productIds };
}

function chargeOf({ total, lines }: Calculation, { start, end }: Period): Charge {
  const credited = creditOf({ lines });
  return { start, end, charged: total, credited, taken: 0, taxRate: lines.at(-1)?.taxRate ?? 0, left: 1 };
}

/** The part of `whole` for the time that is left; for an amount, in fractions of cents. */
function shareLeft(whole: number, at: string, { start, end }: Period): number {
  const [from, first, last] = [at, start, end].map((instant) => Math.floor(Date.parse(instant) / 1_000)) as [
    number,
    number,
    number,
  ];
  return (whole * (last - from)) / (last - first);
}

function creditOf({ lines }: Pick<Calculation, 'lines'>): number {
  return 0 - (lines.find(({ key }) => key === 'unused')?.amount ?? 0);
}

function checkLines({ lines, total }: Calculation): void {
  expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
  for (const { key, amount, taxAmount, taxRate } of lines) {
    expect(Number.isSafeInteger(amount)).toBe(true);
    const exact = (amount * taxRate) / (100 + taxRate);
    // A discount's tax is the difference of two rounded taxes.
    expect(Math.abs(taxAmount - exact)).toBeLessThanOrEqual((key === 'discount' ? 1 : 0.5) + 1e-6);
  }
}
