/**
 * A session as its workflow sees it, and its next action without a command. Pure: the view was read by the database's
 * clock, so its durations are the database's.
 */

import type { Environment } from '../core/environment.ts';
import {
  type LookupCounts,
  type LookupPlan,
  type LookupTimings,
  lookupDelaySeconds,
  lookupPlan,
} from '../core/lookup-schedule.ts';
import type { Currency } from '../core/money.ts';
import { atLeastASecond } from '../core/shortest-sleep.ts';
import type { SubjectLinks } from '../core/subject-links.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import type { SessionFailureReason, SessionState } from './session.ts';

/** A session as its workflow sees it: ids, states, numbers and durations, no personal data. */
export interface SessionView {
  readonly checkoutId: string;
  readonly state: SessionState;
  readonly version: number;
  readonly failureReason: SessionFailureReason | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly expiresAt: string;
  /** `expires_at - service_clock()`; not positive once expired. */
  readonly msToExpiry: number;
  readonly cancelRequested: boolean;
  readonly openPayment: OpenPayment | null;
  /** Operator links; set while it waits for an operator. */
  readonly pages?: SubjectLinks;
}

export interface OpenPayment {
  readonly paymentId: string;
  readonly status: PaymentStatus;
  /** The mark: a call to the rail has begun, so its outcome must be looked up. */
  readonly called: boolean;
  /** True if the buyer gave the attempt up. */
  readonly cancelRequested: boolean;
  readonly msToChallengeEnd: number | null;
  /** True if its method's outcome takes days. */
  readonly settlesInDays: boolean;
}

/** The columns needed to start a session's workflow. */
export interface SessionToStart {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly productName: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly expiresAt: string;
  /** `expires_at - service_clock()`, read with the row: the database's clock decides. */
  readonly msToExpiry: number;
}

export interface NextAction {
  /**
   * `expire`: end an unpaid session; `lookUp`: ask the rail; `endAttempt`: ask, and cancel an attempt that is still
   * open.
   */
  readonly action: 'expire' | 'lookUp' | 'endAttempt';
  readonly inMs: number;
}

export function nextAction(view: SessionView, scheduledLookups: number, timings: LookupTimings): NextAction {
  const { openPayment, msToExpiry } = view;
  if (!openPayment) return { action: 'expire', inMs: atLeastASecond(msToExpiry) };
  if (view.state === 'requires_action' && !mustEnd(view)) {
    const challengeMs = openPayment.msToChallengeEnd ?? msToExpiry;
    return { action: 'endAttempt', inMs: atLeastASecond(Math.min(challengeMs, msToExpiry)) };
  }
  const { reconcileSeconds, reconcileLongSeconds } = timings;
  const lookupMs = 1_000 * lookupDelaySeconds(scheduledLookups, reconcileSeconds, reconcileLongSeconds);
  const endsAtExpiry = msToExpiry > 0 && !openPayment.settlesInDays;
  const beforeExpiryMs = endsAtExpiry ? Math.min(lookupMs, msToExpiry) : lookupMs;
  const action = mustEnd(view) || beforeExpiryMs < lookupMs ? 'endAttempt' : 'lookUp';
  return { action, inMs: atLeastASecond(beforeExpiryMs) };
}

/** True if no attempt is open and the time to pay has run out. */
export function isUnpaidAndExpired({ openPayment, msToExpiry }: SessionView): boolean {
  return !openPayment && msToExpiry <= 0;
}

/**
 * True if the open attempt must end: the session's or its challenge's time is up, or the buyer gave up. The session's
 * time does not end an attempt whose outcome takes days.
 */
export function mustEnd(view: SessionView): boolean {
  const { msToExpiry, openPayment } = view;
  const challengeMs = openPayment?.msToChallengeEnd;
  const expired = msToExpiry <= 0 && !openPayment?.settlesInDays;
  const givenUp = view.cancelRequested || openPayment?.cancelRequested === true;
  return expired || givenUp || (challengeMs != null && challengeMs <= 0);
}

/** The time for a look-up to settle the attempt ends with the quick look-ups or at the session's expiry. */
export function lookupPlanOf(view: SessionView, timings: LookupTimings, counts: LookupCounts): LookupPlan {
  // A continued run does not know how many look-ups its predecessor made.
  const isOver = view.state === 'reconciliation_required' || view.msToExpiry <= 0;
  return lookupPlan(view.checkoutId, timings, counts, isOver);
}
