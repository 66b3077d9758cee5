/**
 * The checkout session's state machine (docs/contract.md#checkout-session). A session has at most one open
 * payment; `nextStates` derives the next state of both from the rail's answer. Pure: instants are passed as ISO
 * strings.
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
import type { AttemptOutcome } from '../payment/attempt.ts';
import type { PaymentStatus } from '../payment/payment.ts';

export const SESSION_STATES = [
  'created',
  'processing',
  'requires_action',
  'succeeded',
  'failed',
  'reconciliation_required',
] as const;
export type SessionState = (typeof SESSION_STATES)[number];

/** A purchase, or a method change, in which a subscription's customer replaces the payment method. */
export type SessionKind = 'purchase' | 'methodChange';

export const SESSION_FAILURE_REASONS = [
  'expired',
  'attempts_exhausted',
  'cancelled',
  'resolved_by_operator',
] as const;
export type SessionFailureReason = (typeof SESSION_FAILURE_REASONS)[number];

/** Success or doubt can follow `requires_action` directly, although the rail is queried in between. */
const TRANSITIONS: Readonly<Record<SessionState, readonly SessionState[]>> = {
  created: ['processing', 'failed'],
  processing: ['succeeded', 'requires_action', 'created', 'failed', 'reconciliation_required'],
  requires_action: ['processing', 'succeeded', 'created', 'failed', 'reconciliation_required'],
  reconciliation_required: ['succeeded', 'failed', 'created'],
  succeeded: [],
  failed: [],
};

export function canTransition(from: SessionState, to: SessionState): boolean {
  return TRANSITIONS[from].includes(to);
}

export function isFinal(state: SessionState): boolean {
  return state === 'succeeded' || state === 'failed';
}

/** The answer to a click on Pay: the click's own attempt, another click's attempt that is still open, or a refusal. */
export type PayAnswer =
  | {
      readonly kind: 'claimed';
      readonly attemptId: string;
      readonly state: SessionState;
      /** True if the attempt may still take money. If false, nothing is sent, because another attempt may be open. */
      readonly isOpen: boolean;
    }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'refused'; readonly reason: PayRefusal };

export type PayRefusal =
  | 'finished'
  | 'expired'
  | 'too_late'
  | 'attempts_exhausted'
  | 'unknown_click'
  | OncePerCustomerRefusal;

/**
 * Why a click is refused, although the buyer may click again: the customer is already subscribed, the terms differ
 * from those on the page, or another attempt is about to begin the trial.
 */
export type OncePerCustomerRefusal = 'subscription_exists' | 'terms_changed' | 'trial_under_way';

/** Facts, besides the rail's answer, that determine the next states. */
export interface Circumstances {
  readonly attemptsUsed: number;
  readonly maxAttempts: number;
  /** By the database's clock: `service_clock() >= expires_at`. */
  readonly expired: boolean;
  /** True if the buyer cancelled the session while the attempt was open. */
  readonly cancelRequested: boolean;
  /** True if the quick look-ups or the session's time are over without an answer: an operator may have to decide. */
  readonly lookupTimeUp: boolean;
  /** True if the attempt's method takes days to settle. */
  readonly settlesInDays: boolean;
  /** True if the session is `reconciliation_required`: only a known outcome leaves that state. */
  readonly reconciling: boolean;
}

export interface NextStates {
  readonly payment: PaymentStatus;
  readonly session: SessionState;
  readonly failureReason: SessionFailureReason | null;
}

/** The next states of payment and session after an answer about the open attempt. */
export function nextStates(outcome: AttemptOutcome, circumstances: Circumstances): NextStates {
  switch (outcome.kind) {
    case 'approved':
      return { payment: 'succeeded', session: 'succeeded', failureReason: null };
    case 'declined':
      return { payment: 'failed', ...afterEndedAttempt(circumstances) };
    case 'cancelled':
      return { payment: 'cancelled', ...afterEndedAttempt(circumstances) };
    case 'challenge':
      // A challenge that is open when the session expires is cancelled first; until the rail has answered the
      // cancel, the outcome is unknown.
      if (circumstances.lookupTimeUp) return noAnswer(circumstances);
      return { payment: 'requires_action', session: 'requires_action', failureReason: null };
    case 'pending':
      if (circumstances.settlesInDays && !circumstances.reconciling) return WAITING;
      return noAnswer(circumstances);
    case 'notFound':
    case 'unknown':
      return noAnswer(circumstances);
  }
}

/** Reached only after the rail's own `declined` or `cancelled`: nothing else makes a session payable again (rule 5). */
function afterEndedAttempt(circumstances: Circumstances): Omit<NextStates, 'payment'> {
  const { attemptsUsed, maxAttempts, expired, cancelRequested } = circumstances;
  if (cancelRequested) return { session: 'failed', failureReason: 'cancelled' };
  if (expired) return { session: 'failed', failureReason: 'expired' };
  if (attemptsUsed >= maxAttempts) return { session: 'failed', failureReason: 'attempts_exhausted' };
  return { session: 'created', failureReason: null };
}

/** The order stays pending, without an alert; neither look-ups nor the session's expiry end the attempt. */
const WAITING: NextStates = { payment: 'processing', session: 'processing', failureReason: null };

function noAnswer({ lookupTimeUp }: Circumstances): NextStates {
  return {
    payment: 'processing',
    session: lookupTimeUp ? 'reconciliation_required' : 'processing',
    failureReason: null,
  };
}

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
  readonly openAttempt: OpenAttempt | null;
  /** Operator links; set while the session waits for an operator. */
  readonly pages?: SubjectLinks;
}

export interface OpenAttempt {
  readonly attemptId: string;
  readonly status: PaymentStatus;
  /** The mark: a call to the rail has begun, so its outcome must be looked up. */
  readonly called: boolean;
  /** True if the buyer cancelled the attempt. */
  readonly cancelRequested: boolean;
  readonly msToChallengeEnd: number | null;
  /** True if the attempt's method takes days to settle. */
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
   * `expire`: end an unpaid session; `lookUp`: ask the rail; `endAttempt`: ask the rail, and cancel the attempt if it
   * is still open.
   */
  readonly action: 'expire' | 'lookUp' | 'endAttempt';
  readonly inMs: number;
}

export function nextAction(view: SessionView, scheduledLookups: number, timings: LookupTimings): NextAction {
  const { openAttempt, msToExpiry } = view;
  if (!openAttempt) return { action: 'expire', inMs: atLeastASecond(msToExpiry) };
  if (view.state === 'requires_action' && !mustEnd(view)) {
    const challengeMs = openAttempt.msToChallengeEnd ?? msToExpiry;
    return { action: 'endAttempt', inMs: atLeastASecond(Math.min(challengeMs, msToExpiry)) };
  }
  const { reconcileSeconds, reconcileLongSeconds } = timings;
  const lookupMs = 1_000 * lookupDelaySeconds(scheduledLookups, reconcileSeconds, reconcileLongSeconds);
  const endsAtExpiry = msToExpiry > 0 && !openAttempt.settlesInDays;
  const beforeExpiryMs = endsAtExpiry ? Math.min(lookupMs, msToExpiry) : lookupMs;
  const action = mustEnd(view) || beforeExpiryMs < lookupMs ? 'endAttempt' : 'lookUp';
  return { action, inMs: atLeastASecond(beforeExpiryMs) };
}

/** True if no attempt is open and the session has expired. */
export function isUnpaidAndExpired({ openAttempt, msToExpiry }: SessionView): boolean {
  return !openAttempt && msToExpiry <= 0;
}

/**
 * True if the open attempt must end: the session or the attempt's challenge has expired, or the buyer cancelled. An
 * attempt whose outcome takes days outlives the session's expiry.
 */
export function mustEnd(view: SessionView): boolean {
  const { msToExpiry, openAttempt } = view;
  const challengeMs = openAttempt?.msToChallengeEnd;
  const expired = msToExpiry <= 0 && !openAttempt?.settlesInDays;
  const givenUp = view.cancelRequested || openAttempt?.cancelRequested === true;
  return expired || givenUp || (challengeMs != null && challengeMs <= 0);
}

/** Look-ups may settle the attempt until the quick delays or the session's time are over; then an operator may. */
export function lookupPlanOf(view: SessionView, timings: LookupTimings, counts: LookupCounts): LookupPlan {
  // A continued run does not know how many look-ups its predecessor made.
  const isOver = view.state === 'reconciliation_required' || view.msToExpiry <= 0;
  return lookupPlan(view.checkoutId, timings, counts, isOver);
}
