/**
 * A subscription as its workflow sees it, and the action that is due next without a command. Pure: instants are by the
 * subscription's own clock, which is the database's unless a merchant has moved it in the sandbox.
 */

import { type LookupTimings, lookupDelaySeconds } from '../core/lookup-schedule.ts';
import type { Currency } from '../core/money.ts';
import { atLeastASecond } from '../core/shortest-sleep.ts';
import type { SubjectLinks } from '../core/subject-links.ts';
import { type Dunning, dunningEnd } from './dunning.ts';
import { isBilled, type SubscriptionStatus } from './subscription.ts';

/** The columns that determine when a subscription's next action is due. */
export interface Timetable {
  readonly status: SubscriptionStatus;
  readonly currentPeriodEnd: string;
  readonly cancelAtPeriodEnd: boolean;
  /** True if the cancellation waits until no invoice is unpaid. */
  readonly collects: boolean;
  /** True if a pause begins at the end of the period, once no invoice is unpaid. */
  readonly pauseAtPeriodEnd: boolean;
  /** True if nothing happens until an operator decides or the merchant cancels (rule 29). */
  readonly isHeld: boolean;
  /** When a pause ends; null without a date. */
  readonly resumesAt: string | null;
  /** True for the last of a limited number of periods. */
  readonly isLastPeriod: boolean;
  /** When an immediate cancellation was requested while a charge was open. */
  readonly cancelRequestedAt: string | null;
  readonly hasOpenAttempt: boolean;
  /** True if the open payment is for an immediate change: its outcome decides which plan the next period bills. */
  readonly changePending: boolean;
  /** When the oldest unpaid invoice is charged; null if there is none or it waits for a new method. */
  readonly chargeAt: string | null;
  /**
   * When the trial's end or the renewal is announced; null if no endpoint subscribes to it, or once it has been
   * announced.
   */
  readonly announceAt: string | null;
  readonly dunning: Dunning | null;
  /** True if the plan's period is shorter than its dunning schedule: no period begins while an invoice is unpaid. */
  readonly nextPeriodWaits: boolean;
}

/**
 * `boundary`: period or pause ends; `charge`: charge the oldest unpaid invoice (again); `giveUp`: the dunning schedule
 * is over; `cancel`: as requested while a charge was open; `announce`: announce the charge at the period's end.
 */
export interface Due {
  readonly action: 'boundary' | 'charge' | 'giveUp' | 'cancel' | 'announce';
  readonly at: string;
}

export function nextDue(timetable: Timetable): Due | null {
  const { status, isHeld, hasOpenAttempt, cancelRequestedAt } = timetable;
  if (!isBilled(status) || (isHeld && !cancelRequestedAt)) return null;
  // An open charge is settled before the subscription ends (rule 25).
  if (hasOpenAttempt && (timetable.cancelAtPeriodEnd || cancelRequestedAt)) return null;
  const boundary = boundaryOf(timetable);
  const waits = paysFirst(timetable);
  if (hasOpenAttempt) return waits || timetable.changePending ? null : boundary;
  if (cancelRequestedAt) return { action: 'cancel', at: cancelRequestedAt };
  const unpaid = unpaidOf(timetable);
  // If both are due, the old invoice comes before the new period.
  const due = unpaid && (waits || !boundary || unpaid.at <= boundary.at) ? unpaid : boundary;
  const announcement = announcementOf(timetable);
  return announcement && due && announcement.at < due.at ? announcement : due;
}

/**
 * A due charge precedes the end of the schedule. After a cancellation, declined charges are retried only for a
 * collecting subscription, and only until its schedule and its period have ended: without this limit, charges that an
 * outage keeps postponing would never let it end.
 */
function unpaidOf({ chargeAt, dunning, currentPeriodEnd, ...at }: Timetable): Due | null {
  if (!dunning) return chargeAt === null ? null : { action: 'charge', at: chargeAt };
  if (at.cancelAtPeriodEnd && !at.collects) return null;
  const endsAt = dunningEnd(dunning);
  if (chargeAt === null) return { action: 'giveUp', at: endsAt };
  const lastAt = endsAt > currentPeriodEnd ? endsAt : currentPeriodEnd;
  return at.cancelAtPeriodEnd && chargeAt > lastAt
    ? { action: 'giveUp', at: lastAt }
    : { action: 'charge', at: chargeAt };
}

/** Charges that will not be made are not announced. */
function announcementOf({ status, announceAt, ...at }: Timetable): Due | null {
  const isCharged = !at.cancelAtPeriodEnd && !at.pauseAtPeriodEnd && !at.isLastPeriod;
  return isCharged && (status === 'trialing' || status === 'active') && announceAt !== null
    ? { action: 'announce', at: announceAt }
    : null;
}

/** @param days if null or 0, nothing is announced; if longer than the period, the announcement is due at its start */
export function announcementAt(start: string, end: string, days: number | null): string | null {
  if (!days) return null;
  const at = new Date(Date.parse(end) - days * 86_400_000).toISOString();
  return at < start ? start : at;
}

/** A cancellation requested during a pause is due immediately. */
function boundaryOf({ status, currentPeriodEnd, cancelAtPeriodEnd, resumesAt }: Timetable): Due | null {
  if (status !== 'paused' || cancelAtPeriodEnd) return { action: 'boundary', at: currentPeriodEnd };
  return resumesAt === null ? null : { action: 'boundary', at: resumesAt };
}

/** True if the period must not end before its unpaid invoices are settled. */
function paysFirst({ status, cancelAtPeriodEnd, nextPeriodWaits, ...at }: Timetable): boolean {
  if (cancelAtPeriodEnd) return at.collects;
  const isUnpaid = status === 'past_due' || at.hasOpenAttempt || at.chargeAt !== null;
  return at.pauseAtPeriodEnd || at.isLastPeriod || (nextPeriodWaits && isUnpaid);
}

/** A subscription as its workflow sees it: ids, states, numbers and durations, no personal data. */
export interface SubscriptionView {
  readonly subscriptionId: string;
  /** The plan of each period, and its price in cents. */
  readonly planId: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly status: SubscriptionStatus;
  readonly version: number;
  readonly currentPeriodEnd: string | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly pauseAtPeriodEnd: boolean;
  readonly isHeld: boolean;
  readonly openAttempt: OpenCharge | null;
  /** True while a buyer pays an invoice through a payment link, whose session's workflow settles the attempt. */
  readonly paidByLink: boolean;
  /** True if the quick look-ups of the open payment are used up. */
  readonly reconciling: boolean;
  readonly next: NextDue | null;
  readonly dunning: { readonly step: number; readonly steps: number; readonly endsAt: string } | null;
  /** Why the latest charge for an unpaid invoice failed; null without one, or without a reason. */
  readonly lastFailure: string | null;
  readonly change: { readonly type: string; readonly effectiveAt: string } | null;
  /** The target of a moved sandbox clock. */
  readonly clockTarget: string | null;
  /** Operator links; absent if not configured. */
  readonly pages?: SubjectLinks;
}

interface OpenCharge {
  readonly attemptId: string;
  /** The mark: a call to the rail has begun, so its outcome must be looked up. */
  readonly called: boolean;
}

/** `reachTarget`: nothing else is due before the sandbox clock's target. */
export interface NextDue {
  readonly action: Due['action'] | 'reachTarget';
  readonly at: string;
  /** 0 or negative means now. */
  readonly inMs: number;
}

/**
 * The next due action, in milliseconds from now. A moving sandbox clock jumps from one due instant to the next and
 * finally to its target, but never past a charge whose outcome is unknown.
 */
export function scheduleOf(timetable: Timetable, now: string, clockTarget: string | null): NextDue | null {
  const due = nextDue(timetable);
  const jumps = clockTarget !== null && !timetable.hasOpenAttempt;
  if (jumps && (!due || due.at > clockTarget)) return { action: 'reachTarget', at: clockTarget, inMs: 0 };
  if (!due) return null;
  return { ...due, inMs: jumps ? 0 : Math.max(0, Date.parse(due.at) - Date.parse(now)) };
}

const RELOAD_MS = 60_000;

/** `reload`: read the row again, which may have changed without a message. */
export interface NextAction {
  readonly action: NextDue['action'] | 'lookUp' | 'reload';
  readonly inMs: number;
  /** By the subscription's clock; null for a look-up or a reload, which follow real time. */
  readonly at: string | null;
}

/** Undefined while the subscription is held, or paused without a date: only a request ends these states. */
export function nextAction(
  view: SubscriptionView,
  scheduledLookups: number,
  { reconcileSeconds, reconcileLongSeconds }: LookupTimings,
): NextAction | undefined {
  const { next, openAttempt, paidByLink, status, isHeld } = view;
  const actions: NextAction[] = [];
  if (next) {
    // A due action runs immediately, by the database's clock; only waits have a minimum.
    const inMs = next.inMs <= 0 ? 0 : atLeastASecond(next.inMs);
    actions.push({ action: next.action, at: next.at, inMs });
  }
  if (openAttempt) {
    const seconds = lookupDelaySeconds(scheduledLookups, reconcileSeconds, reconcileLongSeconds);
    actions.push({ action: 'lookUp', at: null, inMs: atLeastASecond(1_000 * seconds) });
  }
  if (paidByLink) actions.push({ action: 'reload', at: null, inMs: RELOAD_MS });
  const [first, ...others] = actions;
  if (!first && (status === 'paused' || isHeld)) return undefined;
  if (!first) throw new Error(`${view.subscriptionId}: nothing is due and nothing is open`);
  return others.reduce((soonest, action) => (action.inMs < soonest.inMs ? action : soonest), first);
}
