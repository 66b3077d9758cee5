/** Text about a subscription's payments and coming periods, on its own page, its customer's and in lists. */
import type { Schemas } from '../api/description.ts';
import { heldCouponText } from '../catalogue/coupon-text.ts';
import { DAY_MS } from '../ui/days.ts';
import { dayOf, isolated, money } from '../words/format.ts';
import { words } from '../words/words.ts';

/** When a change takes effect. */
export type When = 'now' | 'period_end';

type Subscription = Schemas['FoundSubscription'];
type Details = Schemas['SubscriptionDetailsAnswer'];

/** Null in a trial, for which nothing was paid, and after the end: it may have ended unpaid. */
export function paidUntil({ status, dunning, current_period_end: end }: Details): string | null {
  const day = status === 'past_due' ? dunning?.unpaid_since : end;
  return day && ['active', 'past_due', 'paused'].includes(status) ? dayOf(day) : null;
}

export function unpaidText({
  unpaid_since: since,
  declines,
  waits_for: waitsFor,
  retry_at: retryAt,
  ends_at: endsAt,
}: NonNullable<Details['dunning']>): string {
  const { declines: declined, waitsFor: waiting, unpaidEnd } = words.subscriptions;
  return [
    declined(declines, dayOf(since)),
    waitsFor === 'retry' ? retryAt && waiting.retry(dayOf(retryAt)) : waiting[waitsFor],
    endsAt && unpaidEnd(dayOf(endsAt)),
  ]
    .filter(Boolean)
    .join(' ');
}

/** Null for a change that is applied or withdrawn. */
export function changeText(
  { status, type, quantity, effective_at: at }: NonNullable<Subscription['change']>,
  plan: string,
): string | null {
  const texts: Readonly<Record<string, (plan: string, day: string) => string>> =
    words.subscriptions.changeText;
  const target = type === 'quantity_change' ? `${quantity} × ${plan}` : plan;
  return texts[status]?.(target, dayOf(at)) ?? null;
}

/** Describes the effect of a change: the charge now, its period, and the charge at the next renewal. */
export function effectOf(
  when: When,
  target: string,
  { lines, total, currency, effective_at, next_renewal }: Schemas['ChangePreviewAnswer'],
): string {
  const period = lines.at(-1)?.period;
  if (when === 'period_end' || !period) {
    return words.subscriptions.changePlanText(
      dayOf(effective_at),
      next_renewal && money(next_renewal.total, currency),
    );
  }
  const days = Math.max(1, Math.round((Date.parse(period.end) - Date.parse(period.start)) / DAY_MS));
  return words.subscriptions.changeNowText(
    money(total, currency),
    days,
    target,
    next_renewal &&
      words.subscriptions.renewalText(money(next_renewal.total, currency), dayOf(next_renewal.at)),
  );
}

/** Describes what remains if a change that is scheduled, or waits for its buyer, is withdrawn. */
export function undoText({ type, status }: NonNullable<Subscription['change']>): string {
  const { undoText: remains, undoLinkText } = words.subscriptions;
  return status === 'requires_action' ? `${remains[type]} ${undoLinkText}` : remains[type];
}

/** Does not name another plan, which would take a request per subscription. */
export function termsOf(subscription: Subscription): readonly string[] {
  const { plan, change, coupon, billing_cycles_left: left, price_move: move, currency } = subscription;
  const { otherPlan, cyclesLeft, priceMove, priceMoveText } = words.subscriptions;
  const target = change?.target_plan_id === plan.id ? isolated(plan.name) : otherPlan;
  return [
    change && changeText(change, target),
    coupon && heldCouponText(coupon),
    left !== null && `${cyclesLeft}: ${left}`,
    move && `${priceMove}: ${priceMoveText(money(move.amount, currency), dayOf(move.from))}`,
  ].filter((term) => typeof term === 'string');
}

/** The end or pause if it precedes the next charge, otherwise the day of that charge. */
export function nextText(subscription: Subscription): string {
  const {
    next_charge_at: next,
    ends_at: endsAt,
    current_period_end: end,
    resumes_at: resumesAt,
  } = subscription;
  const { ends, pauses, resumes } = words.subscriptions;
  if (endsAt) return `${ends} ${dayOf(endsAt)}`;
  const pausing = subscription.pause_at_period_end && end ? `${pauses} ${dayOf(end)}` : null;
  const resuming = resumesAt ? `${resumes} ${dayOf(resumesAt)}` : null;
  if (pausing || resuming) return [pausing, resuming].filter(Boolean).join(' · ');
  return next ? dayOf(next) : words.common.none;
}
