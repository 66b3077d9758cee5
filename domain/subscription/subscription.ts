/**
 * The subscription's state machine (docs/contract.md#subscription), and the effects of a period's end. Pure:
 * instants are passed as ISO strings, read by the subscription's own clock.
 */
import { type Interval, periodFrom } from '../core/calendar.ts';

export const SUBSCRIPTION_STATUSES = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'cancelled',
  'expired',
  'paused',
] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const TRANSITIONS: Readonly<Record<SubscriptionStatus, readonly SubscriptionStatus[]>> = {
  incomplete: ['trialing', 'active', 'expired'],
  trialing: ['active', 'cancelled'],
  active: ['past_due', 'paused', 'cancelled'],
  past_due: ['active', 'cancelled'],
  cancelled: [],
  expired: [],
  paused: ['active', 'cancelled'],
};

export function canTransitionSubscription(from: SubscriptionStatus, to: SubscriptionStatus): boolean {
  return TRANSITIONS[from].includes(to);
}

export function isFinishedSubscription(status: SubscriptionStatus): boolean {
  return status === 'cancelled' || status === 'expired';
}

/** Statuses in which a workflow bills the next period when it is due. A pause without a date lasts until a request. */
export const BILLED_STATUSES = ['trialing', 'active', 'past_due', 'paused'] as const;

export function isBilled(status: SubscriptionStatus): boolean {
  return (BILLED_STATUSES as readonly string[]).includes(status);
}

/** A subscription at the end of its current period. */
export interface AtBoundary {
  readonly status: SubscriptionStatus;
  readonly cancelAtPeriodEnd: boolean;
  readonly pauseAtPeriodEnd: boolean;
  /** The last of a limited number of periods. */
  readonly isLastPeriod: boolean;
  /** When the next period begins; for a paused subscription, when it resumes. */
  readonly currentPeriodEnd: string;
  readonly billingAnchor: string;
  /** How the next period is billed: by the plan of a scheduled change, otherwise by the current plan. */
  readonly interval: Interval;
  readonly intervalCount: number;
  /** True if an earlier invoice is unpaid, whether its charge is in progress or not. */
  readonly earlierUnpaid: boolean;
}

export type BoundaryOutcome =
  | { readonly kind: 'end' }
  | { readonly kind: 'pause' }
  | {
      readonly kind: 'renew';
      readonly status: 'active' | 'past_due';
      readonly period: { readonly start: string; readonly end: string };
      readonly billingAnchor: string;
      /** Invoices are charged oldest first: while one is unpaid, later ones are issued but not charged. */
      readonly chargeNow: boolean;
    };

export function atBoundary(subscription: AtBoundary): BoundaryOutcome {
  if (subscription.cancelAtPeriodEnd || subscription.isLastPeriod) return { kind: 'end' };
  if (subscription.pauseAtPeriodEnd) return { kind: 'pause' };
  const { billingAnchor, currentPeriodEnd, interval, intervalCount } = subscription;
  const { start, end, anchor } = periodFrom(billingAnchor, currentPeriodEnd, interval, intervalCount);
  return {
    kind: 'renew',
    status: subscription.status === 'past_due' ? 'past_due' : 'active',
    period: { start, end },
    billingAnchor: anchor,
    chargeNow: subscription.status !== 'past_due' && !subscription.earlierUnpaid,
  };
}
