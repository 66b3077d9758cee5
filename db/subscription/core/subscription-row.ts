/** Locks a subscription's row in a transaction, which is the only way to change the row. */
import { z } from 'zod';
import { couponFor, deductionOf, type GoesOn } from '../../../domain/catalogue/coupon.ts';
import { ENVIRONMENTS, type Scope } from '../../../domain/core/environment.ts';
import { CURRENCIES } from '../../../domain/core/money.ts';
import type { Dunning } from '../../../domain/subscription/dunning.ts';
import { priceTotal } from '../../../domain/subscription/proration.ts';
import {
  canTransitionSubscription,
  SUBSCRIPTION_STATUSES,
} from '../../../domain/subscription/subscription.ts';
import { announcementAt, nextDue, type Timetable } from '../../../domain/subscription/subscription-view.ts';
import { couponAsJson, storedCoupon, termsOfCoupon } from '../../catalogue/stored-coupon.ts';
import { LOCKS_WITHIN_A_SECOND } from '../../core/lock-timeout.ts';
import { sql, type Transaction } from '../../core/pool.ts';
import { rowOrNotFound } from '../../core/row-not-found.ts';
import { UNPAID } from '../../invoice/unpaid.ts';
import { OPEN_STATUSES } from '../../payment/open-payment.ts';
import { announcedMove, announcedMoveOf } from './announced-price-move.ts';

export const storedDunning = z
  .object({ started_at: z.string(), retries: z.array(z.string()) })
  .transform(({ started_at, retries }): Dunning => ({ startedAt: started_at, retries }));

/** Statuses of a change that is neither applied nor given up; there is one such change at most. */
export const OPEN_CHANGE = sql.fragment`('scheduled', 'pending', 'requires_action')`;
export const openChange = z.enum(['scheduled', 'pending', 'requires_action']).nullable();

const lockedSubscription = z.object({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  customer_id: z.string(),
  product_id: z.string(),
  price_id: z.string(),
  offering_id: z.string().nullable(),
  rail_account_id: z.string(),
  status: z.enum(SUBSCRIPTION_STATUSES),
  version: z.number(),
  /** The price of a period: unit price times quantity. */
  amount: z.number(),
  quantity: z.number(),
  currency: z.enum(CURRENCIES),
  /** Like the period's start and end, null only before the first attempt has succeeded. */
  billing_anchor: z.string().nullable(),
  current_period_start: z.string().nullable(),
  current_period_end: z.string().nullable(),
  trial_end: z.string().nullable(),
  cancel_at_period_end: z.boolean(),
  /** True if the cancellation waits until all invoices are paid. */
  collects: z.boolean(),
  pause_at_period_end: z.boolean(),
  resumes_at: z.string().nullable(),
  /** The number of periods still to be charged after the current one; null if unlimited. */
  billing_cycles_left: z.number().nullable(),
  /** The coupon of the current period, or of the first one after a trial. */
  coupon: storedCoupon.nullable(),
  /** Charged periods that the coupon has reduced, including the current one; 0 in a trial. */
  coupon_used_periods: z.number(),
  /** The latest price move that was announced to the subscription. */
  price_move: announcedMove.nullable(),
  cancel_requested_at: z.string().nullable(),
  cancelled_at: z.string().nullable(),
  charge_at: z.string().nullable(),
  announce_at: z.string().nullable(),
  /** How many days before its start the next period is announced; null if no endpoint lists the event. */
  renewal_upcoming_days: z.number().nullable(),
  /** How many days before its end a trial is announced; null after the trial, or if no endpoint lists the event. */
  trial_ending_days: z.number().nullable(),
  /** True if nothing is charged: a dispute was lost, or an operator has yet to decide about a lost request. */
  charging_stopped: z.boolean(),
  dunning: storedDunning.nullable(),
  /** True if a declined or doubtful charge may be retried beyond the period: the next period waits for its payment. */
  next_period_waits: z.boolean(),
  /** True if the issuer declined the stored method permanently, and has approved no charge since. */
  method_declined: z.boolean(),
  reconciling: z.boolean(),
  open_payment_id: z.string().nullable(),
  /** True if the open payment is an attempt of a payment link, which its session's workflow settles. */
  paid_by_link: z.boolean(),
  /** The status of the subscription's open change. */
  open_change: openChange,
  unpaid_invoices: z.number(),
  updated_at: z.string(),
  /** The current time by the subscription's clock. */
  now: z.string(),
  clock_target: z.string().nullable(),
});
export type LockedSubscription = z.infer<typeof lockedSubscription>;

/**
 * @param waits `briefly` limits the wait for each lock to a second for the rest of the transaction; a longer wait is a
 * lock time-out
 * @throws RowNotFound
 */
export async function lockSubscription(
  tx: Transaction,
  subscriptionId: string,
  waits: 'briefly' | 'long' = 'long',
): Promise<LockedSubscription> {
  const brief =
    waits === 'briefly' ? sql.fragment`and (select ${LOCKS_WITHIN_A_SECOND}) is not null` : sql.fragment``;
  // Lock first, then read in a second statement, whose snapshot is taken after the lock.
  await tx.query(
    sql.typeAlias('void')`select from subscriptions where id = ${subscriptionId} ${brief} for update`,
  );
  const row = await tx.maybeOne(sql.type(lockedSubscription)`
    select s.id, s.merchant_id, s.environment, s.customer_id, s.product_id, s.price_id, s.offering_id,
      s.rail_account_id, s.status, s.version, s.amount, s.quantity, s.currency, s.billing_anchor, s.current_period_start,
      s.current_period_end, s.cancel_at_period_end, s.collects, s.pause_at_period_end, s.resumes_at, s.cancel_requested_at,
      s.cancelled_at, s.billing_cycles_left, ${couponAsJson(sql.fragment`s.coupon_id`)} as coupon, s.coupon_used_periods,
      ${announcedMoveOf(sql.fragment`s`)} as price_move, s.charge_at, s.dunning,
      s.trial_end, s.next_period_waits, s.method_declined, s.announce_at,
      announcement_days(s.merchant_id, s.environment, 'subscription.renewal_upcoming') as renewal_upcoming_days,
      case when s.status = 'trialing'
        then announcement_days(s.merchant_id, s.environment, 'subscription.trial_ending') end as trial_ending_days,
      s.reconciling_since is not null as reconciling, s.charging_stopped_at is not null as charging_stopped,
      (select p.id from payments p join invoices i on i.id = p.invoice_id
        where i.subscription_id = s.id and p.status in ${OPEN_STATUSES}) as open_payment_id,
      exists (select from payments p join invoices i on i.id = p.invoice_id
        where i.subscription_id = s.id and p.status in ${OPEN_STATUSES} and p.checkout_id is not null) as paid_by_link,
      (select count(*) from invoices i
        where i.subscription_id = s.id and i.status in ${UNPAID}) as unpaid_invoices,
      (select c.status from subscription_changes c
        where c.subscription_id = s.id and c.status in ${OPEN_CHANGE}) as open_change,
      s.updated_at, subscription_clock(s.id) as now,
      (select target from subscription_clocks where subscription_id = s.id) as clock_target
    from subscriptions s
    where s.id = ${subscriptionId}
  `);
  return rowOrNotFound(row, subscriptionId);
}

export function scopeOfSubscription({ merchant_id, environment }: LockedSubscription): Scope {
  return { merchantId: merchant_id, environment };
}

export type SubscriptionChanges = Partial<
  Omit<
    LockedSubscription,
    | 'id'
    | 'merchant_id'
    | 'environment'
    | 'customer_id'
    | 'version'
    | 'updated_at'
    | 'now'
    | 'clock_target'
    | 'renewal_upcoming_days'
    | 'trial_ending_days'
  >
>;

/**
 * Changes a locked subscription, raises its version, and stores when it acts next. `open_payment_id` and
 * `unpaid_invoices` reflect the caller's changes to other rows. After a lost dispute, no charge is scheduled.
 * @param nextLookupSeconds when to look up an open payment next
 * @throws on an illegal transition, which is a bug
 */
export async function saveSubscription(
  tx: Transaction,
  subscription: LockedSubscription,
  changes: SubscriptionChanges,
  nextLookupSeconds = 60,
): Promise<LockedSubscription> {
  const s = { ...subscription, ...changes, version: subscription.version + 1 };
  if (s.charging_stopped) s.charge_at = null;
  if (s.current_period_end !== subscription.current_period_end) s.announce_at = announcementOf(s);
  // The move is over once the subscription has left the old price. Its id is kept if the move was applied, for the
  // move's report.
  const { price_move: move } = s;
  if (move && s.price_id !== move.old_price_id)
    s.price_move = s.price_id === move.new_price_id ? { ...move, from: null } : null;
  if (s.status !== subscription.status && !canTransitionSubscription(subscription.status, s.status)) {
    throw new Error(`${s.id}: illegal transition from ${subscription.status} to ${s.status}`);
  }
  const dunning =
    s.dunning && sql.jsonb({ started_at: s.dunning.startedAt, retries: [...s.dunning.retries] });
  const { rowCount } = await tx.query(sql.typeAlias('void')`
    update subscriptions set
      status = ${s.status}, version = ${s.version}, product_id = ${s.product_id}, price_id = ${s.price_id},
      offering_id = ${s.offering_id}, amount = ${s.amount}, quantity = ${s.quantity}, currency = ${s.currency},
      billing_anchor = ${s.billing_anchor}, current_period_start = ${s.current_period_start},
      current_period_end = ${s.current_period_end}, trial_end = ${s.trial_end}, cancel_at_period_end = ${s.cancel_at_period_end},
      collects = ${s.collects},
      pause_at_period_end = ${s.pause_at_period_end}, resumes_at = ${s.resumes_at},
      billing_cycles_left = ${s.billing_cycles_left}, coupon_id = ${s.coupon?.id ?? null},
      coupon_used_periods = ${s.coupon ? s.coupon_used_periods : 0}, cancel_requested_at = ${s.cancel_requested_at}, cancelled_at = ${s.cancelled_at},
      price_move_id = ${s.price_move?.id ?? null}, price_moves_from = ${s.price_move?.from ?? null},
      charge_at = ${s.charge_at}, announce_at = ${s.announce_at}, dunning = ${dunning}::jsonb, next_period_waits = ${s.next_period_waits},
      method_declined = ${s.method_declined},
      reconciling_since = case when ${s.reconciling} then coalesce(reconciling_since, service_clock()) end,
      charging_stopped_at = case when ${s.charging_stopped} then coalesce(charging_stopped_at, service_clock()) end,
      next_action_at = ${nextActionAt(s, nextLookupSeconds)}, updated_at = ${s.now}
    where id = ${s.id} and version = ${subscription.version}
  `);
  if (rowCount !== 1)
    throw new Error(`${s.id}: the row is no longer at the locked version ${subscription.version}`);
  return s;
}

/** Returns when the end of the current period is to be announced; null if no endpoint lists the event. */
export function announcementOf(subscription: LockedSubscription): string | null {
  const { status, current_period_start: start, current_period_end: end } = subscription;
  const { trial_ending_days, renewal_upcoming_days } = subscription;
  if (!start || !end) return null;
  return announcementAt(start, end, status === 'trialing' ? trial_ending_days : renewal_upcoming_days);
}

export type CouponColumns = Pick<LockedSubscription, 'coupon' | 'coupon_used_periods'>;

/** Returns the coupon as applied to the next charge, under a plan. */
export function couponOn(
  { product_id, coupon, coupon_used_periods }: CouponColumns & Pick<LockedSubscription, 'product_id'>,
  planId: string,
  { beginsPeriod }: Pick<GoesOn, 'beginsPeriod'>,
): CouponColumns {
  const inForce = coupon && { terms: termsOfCoupon(coupon), usedPeriods: coupon_used_periods };
  const next = couponFor(inForce, { targetPlanId: planId === product_id ? null : planId, beginsPeriod });
  return { coupon: next && coupon, coupon_used_periods: next?.usedPeriods ?? 0 };
}

/** Returns the charge for the next period, given the price of a period of that period's plan. */
export function renewalTotal(
  subscription: CouponColumns & Pick<LockedSubscription, 'product_id'>,
  { planId, amount }: { readonly planId: string; readonly amount: number },
): number {
  const { coupon } = couponOn(subscription, planId, { beginsPeriod: true });
  return priceTotal({ unitAmount: amount, coupon: coupon && deductionOf(coupon) });
}

/** Returns when the facts that decide what the next period charges last changed. */
export function changedAtOf({
  updated_at: updatedAt,
  price_move: move,
}: LockedSubscription): readonly string[] {
  return move?.cancelled_at ? [updatedAt, move.cancelled_at] : [updatedAt];
}

/** True for the last of a limited number of periods. */
export function isLastPeriod(row: { readonly billing_cycles_left: number | null }): boolean {
  return row.billing_cycles_left === 0;
}

/** Returns the billing cycles left once a charged period begins, or the current one continues; null if unlimited. */
export function cyclesLeftAfter(
  { billing_cycles_left: left }: LockedSubscription,
  { beginsPeriod }: Pick<GoesOn, 'beginsPeriod'>,
): number | null {
  return left !== null && beginsPeriod ? left - 1 : left;
}

/** True if the open payment belongs to an immediate change: its first charge, or the attempt of its link. */
export function isChangePending({
  open_change: change,
  open_payment_id: payment,
}: Pick<LockedSubscription, 'open_change' | 'open_payment_id'>): boolean {
  return change === 'pending' || (change === 'requires_action' && payment !== null);
}

type RowOfTimetable = Pick<
  LockedSubscription,
  | 'status'
  | 'current_period_end'
  | 'cancel_at_period_end'
  | 'collects'
  | 'pause_at_period_end'
  | 'charging_stopped'
  | 'resumes_at'
  | 'billing_cycles_left'
  | 'cancel_requested_at'
  | 'open_payment_id'
  | 'open_change'
  | 'charge_at'
  | 'announce_at'
  | 'dunning'
  | 'next_period_waits'
>;

/** True if a request about a pause was lost, and an operator has to decide whether charging continues. */
export function isHeld({
  charging_stopped: isStopped,
  cancel_at_period_end: ends,
}: Pick<LockedSubscription, 'charging_stopped' | 'cancel_at_period_end'>): boolean {
  return isStopped && !ends;
}

/** True if declined invoices are not charged again unless the cancellation is undone. */
export function writesOff({
  cancel_at_period_end: ends,
  collects,
}: Pick<LockedSubscription, 'cancel_at_period_end' | 'collects'>): boolean {
  return ends && !collects;
}

export function timetableOf(subscription: RowOfTimetable): Timetable {
  return {
    status: subscription.status,
    currentPeriodEnd: subscription.current_period_end ?? '',
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    collects: subscription.collects,
    pauseAtPeriodEnd: subscription.pause_at_period_end,
    isHeld: isHeld(subscription),
    resumesAt: subscription.resumes_at,
    isLastPeriod: isLastPeriod(subscription),
    cancelRequestedAt: subscription.cancel_requested_at,
    hasOpenAttempt: subscription.open_payment_id !== null,
    changePending: isChangePending(subscription),
    chargeAt: subscription.charge_at,
    announceAt: subscription.announce_at,
    dunning: subscription.dunning,
    nextPeriodWaits: subscription.next_period_waits,
  };
}

function nextActionAt(subscription: LockedSubscription, nextLookupSeconds: number): string | null {
  const due = nextDue(timetableOf(subscription))?.at ?? null;
  // A payment link's session looks up its own attempt, and saves this row when the attempt ends.
  if (!subscription.open_payment_id || subscription.paid_by_link) return due;
  const lookup = new Date(Date.parse(subscription.now) + 1_000 * nextLookupSeconds).toISOString();
  return due && due < lookup ? due : lookup;
}
