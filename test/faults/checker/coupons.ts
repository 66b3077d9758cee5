/**
 * Coupons: redeemed at most as often as allowed, returned by each attempt that fails, and taken off every charge that
 * they are for.
 */
import { type Facts, groupBy, type Violation } from './facts.ts';
import type { Coupon, Exchange, LineItem, Session } from './records.ts';

const UNREDEEMED = new Set(['created', 'failed']);
const OFF = 'a coupon gives its stated discount';

export function checkCoupons(facts: Facts): Violation[] {
  return [
    ...redeemedAtMost(facts),
    ...refusedRightly(facts),
    ...takenOff(facts),
    ...renewalsAreReduced(facts),
  ];
}

function redeemedAtMost({ coupons, sessions }: Facts): Violation[] {
  const promise = 'a coupon is not redeemed more often than allowed';
  return coupons.flatMap(({ id: subject, redemptions, max_redemptions }): Violation[] => {
    const holders = sessions.filter(({ coupon, state }) => coupon?.id === subject && !UNREDEEMED.has(state));
    const listed = `${holders.map(({ id }) => id).join(', ') || 'no session'} of ${max_redemptions ?? 'any number'}`;
    if (holders.length > (max_redemptions ?? Number.POSITIVE_INFINITY))
      return [{ promise, subject, found: listed }];
    if (redemptions === holders.length) return [];
    return [{ promise, subject, found: `${redemptions} redemptions, but ${listed}` }];
  });
}

interface Refusal {
  readonly code: string;
  readonly reason: string;
  /** The session that lost the coupon at its claim; null if none was created. */
  readonly sessionId: string | null;
  /** When the coupon was requested. */
  readonly since: string;
}

/** A code is refused only while other sessions hold all of its redemptions: a failed attempt has returned its own. */
function refusedRightly(facts: Facts): Violation[] {
  const { coupons, restores } = facts;
  return refusalsOf(facts).flatMap(({ code, reason, sessionId, since }): Violation[] => {
    const coupon = coupons.find((each) => each.code === code);
    // A restore may have lost the coupon, or the attempt that held it.
    if (!coupon || restores.some(({ target }) => since >= target)) return [];
    const holders = sessionsThatMayHold(facts, coupon, since).filter(({ id }) => id !== sessionId);
    const isUsedUp = holders.length >= (coupon.max_redemptions ?? Number.POSITIVE_INFINITY);
    if (reason === 'coupon_not_redeemable' && isUsedUp) return [];
    const found = `${reason} at ${since}: ${sessionId ?? code}`;
    return [{ promise: 'a failed attempt returns its coupon', subject: coupon.id, found }];
  });
}

/** Refusals of requests for a session, and of clicks, which remove the coupon from their session. */
function refusalsOf({ exchanges, sessions }: Facts): Refusal[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  return exchanges.flatMap((exchange): Refusal[] => {
    const { path, status, body, answer, sentAt } = exchange;
    if (path !== '/v1/checkouts' || ![201, 400, 409].includes(status)) return [];
    const { couponCode: code } = JSON.parse(body ?? '{}') as { readonly couponCode?: string };
    if (!code) return [];
    const { id, code: reason } = JSON.parse(answer ?? '{}') as { readonly id: string; readonly code: string };
    // `coupon_amount_zero` is a correct refusal: the coupon would reduce a one-off purchase to zero.
    if (status !== 201)
      return reason === 'coupon_amount_zero' ? [] : [{ code, reason, sessionId: null, since: sentAt }];
    const [click] = clicksOf(exchanges, exchange);
    if (byId.get(id)?.coupon !== null || !click) return [];
    return [{ code, reason: 'coupon_not_redeemable', sessionId: id, since: click.sentAt }];
  });
}

/** Sessions with the coupon that are paid, or had a click in progress at or after this instant. */
function sessionsThatMayHold(
  { sessions, seen, exchanges }: Facts,
  coupon: Coupon,
  instant: string,
): readonly Session[] {
  return sessions.filter(({ id, state, coupon: own }) => {
    if (own?.id !== coupon.id) return false;
    const made = exchanges.find(({ status, answer }) => status === 201 && answer?.includes(id));
    const clicks = made ? clicksOf(exchanges, made) : [];
    const shown = seen.findLast(({ sessionId, at }) => sessionId === id && at < instant)?.state ?? 'created';
    const isUnderWay = clicks.some(({ status, answeredAt }) => status !== 200 || answeredAt >= instant);
    return !UNREDEEMED.has(state) || isUnderWay || !UNREDEEMED.has(shown);
  });
}

/** Clicks on the page of the session that this request created. */
function clicksOf(exchanges: readonly Exchange[], { answer }: Exchange): readonly Exchange[] {
  const { hostedUrl } = JSON.parse(answer ?? '{}') as { readonly hostedUrl: string };
  const path = `${new URL(hostedUrl).pathname}/pay`;
  return exchanges.filter((each) => each.path === path);
}

/** The session, its order and its invoice show the same discount, which is the coupon's. */
function takenOff({ sessions, orders, invoices, coupons, listed }: Facts): Violation[] {
  const couponById = new Map(coupons.map((each) => [each.id, each]));
  const orderById = new Map(orders.map((order) => [order.id, order]));
  return sessions.flatMap(({ id, state, amount, order_id, coupon: shown }): Violation[] => {
    const order = orderById.get(order_id ?? '');
    if (state !== 'succeeded' || !shown || !order || listed.has(id)) return [];
    const wrong = (found: string): Violation[] => [{ promise: OFF, subject: id, found }];
    const coupon = couponById.get(shown.id);
    if (!coupon) return wrong(`${shown.code} is not listed`);
    const bills = [order, ...invoices.filter((invoice) => invoice.order_id === order.id)];
    return bills.flatMap(({ id: bill, line_items }) => {
      const price = priceOf(line_items);
      const off = offOf(line_items, coupon);
      const isRight = off === reductionOf(price, coupon) && off === shown.discount && price - off === amount;
      if (isRight) return [];
      return wrong(
        `${shown.code} takes ${off} off ${price} in ${bill}, but ${shown.discount} on the page: ${amount}`,
      );
    });
  });
}

/**
 * A coupon reduces the first charged periods, as many as it lasts for. A change within a period charges a
 * share of it, reduced by the same share.
 */
function renewalsAreReduced(facts: Facts): Violation[] {
  const { invoices, sessions, coupons, listed } = facts;
  const isListed = ({ id, order_id }: { id: string; order_id: string | null }) =>
    listed.has(id) || listed.has(order_id ?? '');
  const bySubscription = groupBy(
    invoices.filter(
      (each) => each.status !== 'void' && each.status !== 'draft' && priceOf(each.line_items) > 0,
    ),
    ({ subscription_id }) => subscription_id,
  );
  return [...bySubscription].flatMap(([subject, all]): Violation[] => {
    const session = sessions.find(({ subscription_id }) => subscription_id === subject);
    if (!session || listed.has(subject) || all.some(isListed)) return [];
    const wrong = (found: string): Violation[] => [{ promise: OFF, subject, found }];
    const coupon = coupons.find(({ id }) => id === session.coupon?.id);
    const inOrder = all.toSorted((one, other) => `${one.number}`.localeCompare(`${other.number}`));
    const reduced = (lines: readonly LineItem[]) => coupons.some((each) => offOf(lines, each) > 0);
    if (!coupon) {
      const found = inOrder.find(({ line_items }) => reduced(line_items));
      return found ? wrong(`${found.id} has a discount, but its session has no coupon`) : [];
    }
    for (const { id, line_items } of inOrder) {
      const [price, off] = [priceOf(line_items), offOf(line_items, coupon)];
      if (off === 0) continue;
      const isShare = !isWhole(line_items);
      const tolerance = isShare ? 1 : 0;
      // A fixed amount is reduced to the share of the period, which the invoice does not show.
      if (isShare && coupon.percent === null) continue;
      if (Math.abs(off - reductionOf(price, coupon)) > tolerance)
        return wrong(`${coupon.code} takes ${off} off ${price} in ${id}`);
    }
    const periods = inOrder.filter(({ line_items }) => isWhole(line_items));
    const pattern = periods.map(({ line_items }) => (offOf(line_items, coupon) > 0 ? 'x' : '-')).join('');
    const lasts = { once: 1, repeating: coupon.periods ?? 0 }[coupon.duration] ?? Number.POSITIVE_INFINITY;
    const due = Math.min(lasts, periods.length);
    // A change of plan uses up a coupon for one charge, even before a charge.
    const isUsedUp = coupon.duration === 'once' && !pattern.includes('x') && hasChanged(facts, subject);
    if (isUsedUp || pattern === 'x'.repeat(due) + '-'.repeat(periods.length - due)) return [];
    return wrong(`${coupon.code}, ${coupon.duration}, in the periods ${pattern}`);
  });
}

function hasChanged({ exchanges }: Facts, subscription: string): boolean {
  const path = `/v1/subscriptions/${subscription}/`;
  return exchanges.some((each) => each.path.startsWith(path) && /(plan|offering)-change$/.test(each.path));
}

/** The sum of the lines before discounts and credits. */
function priceOf(lines: readonly LineItem[]): number {
  return lines.reduce((total, { amount }) => total + Math.max(0, amount), 0);
}

function offOf(lines: readonly LineItem[], { code }: Coupon): number {
  const off = lines.filter(({ description, amount }) => description === code && amount < 0);
  return off.reduce((total, { amount }) => total - amount, 0);
}

/** False for a change within a period, which charges a share of it. */
function isWhole(lines: readonly LineItem[]): boolean {
  return lines.every(({ amount, quantity, unit_amount }) => amount <= 0 || amount === quantity * unit_amount);
}

function reductionOf(price: number, { percent, amount }: Coupon): number {
  return percent === null ? Math.min(amount ?? 0, price) : Math.floor((price * percent + 50) / 100);
}
