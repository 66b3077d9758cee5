/** Previews what an operation would charge, when it takes effect, and what the next renewal charges. */

import { refusalOf, type WantedChange } from '../../domain/subscription/operations.ts';
import type { Calculation } from '../../domain/subscription/proration.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { calculateChange } from './calculate-change.ts';
import { type CancelOperation, endsWithPeriod } from './cancel-subscription.ts';
import { isPreviewOutdated } from './core/outdated-preview.ts';
import { calculateResumption, renewalOf } from './core/planned-period.ts';
import { operable, type Refused, refused } from './core/subscription-operations.ts';
import { isLastPeriod, type LockedSubscription, lockSubscription } from './core/subscription-row.ts';
import { firstChargeAt, trialEndAt } from './move-trial.ts';
import { pauseRefusal, pauseStart, resumeRefusal } from './pause-subscription.ts';
import { planChange, totalAt } from './subscription-changes.ts';

export interface PreviewedChange extends Calculation {
  readonly kind: 'calculated';
  readonly currency: string;
  readonly calculatedAt: string;
  readonly effectiveAt: string;
  /** Null after a cancellation, in the last of a limited number of periods, and before a pause without a date. */
  readonly nextRenewal: { readonly at: string; readonly total: number } | null;
}

export type ChangeToPreview = WantedChange & {
  readonly subscriptionId: string;
  readonly effective: 'now' | 'period_end';
};

/** Calculates the preview under the subscription's lock, because it reads facts in several statements. */
export function previewChange(pool: Pool, wanted: ChangeToPreview): Promise<PreviewedChange | Refused> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, wanted.subscriptionId);
    const name = wanted.effective === 'now' ? 'changeNow' : 'scheduleChange';
    const refusal = refusalOf(name, operable(subscription));
    if (refusal) return refused(refusal);
    return wanted.effective === 'now'
      ? atOnce(tx, subscription, wanted)
      : atPeriodEnd(tx, subscription, wanted);
  });
}

/** A cancellation charges and returns nothing. */
export function previewCancel(
  pool: Pool,
  wanted: Omit<CancelOperation, 'operationKey'>,
): Promise<PreviewedChange | Refused> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, wanted.subscriptionId);
    const refusal = refusalOf('cancel', operable(subscription));
    if (refusal) return refused(refusal);
    if (isPreviewOutdated(subscription, wanted)) return refused('preview_outdated', 0);
    const { now, current_period_end: end } = subscription;
    const effectiveAt = endsWithPeriod(subscription, wanted) ? (end ?? now) : now;
    return chargesNothing(subscription, effectiveAt, null);
  });
}

export function previewUndoCancel(pool: Pool, subscriptionId: string): Promise<PreviewedChange | Refused> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const refusal = refusalOf('undoCancel', operable(subscription));
    if (refusal) return refused(refusal);
    const { now, pause_at_period_end: pauses } = subscription;
    const at = pauses ? subscription.resumes_at : subscription.current_period_end;
    const renews = at !== null && !isLastPeriod(subscription);
    return chargesNothing(subscription, now, renews ? renewalOf(subscription, at) : null);
  });
}

/** A pause charges nothing until its end. */
export function previewPause(
  pool: Pool,
  { subscriptionId, resumesAt }: { readonly subscriptionId: string; readonly resumesAt: string | null },
): Promise<PreviewedChange | Refused> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const refusal = refusalOf('pause', operable(subscription)) ?? pauseRefusal(subscription, resumesAt);
    if (refusal) return refused(refusal);
    const next = resumesAt === null ? null : renewalOf(subscription, resumesAt);
    return chargesNothing(subscription, pauseStart(subscription), next);
  });
}

export function previewResume(pool: Pool, subscriptionId: string): Promise<PreviewedChange | Refused> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const { now, status, currency } = subscription;
    const refusal =
      refusalOf('resume', operable(subscription)) ??
      (status === 'paused' ? await resumeRefusal(tx, subscription) : null);
    if (refusal) return refused(refusal);
    const resumption = await calculateResumption(tx, subscription, now);
    return { kind: 'calculated', ...resumption, currency, calculatedAt: now, effectiveAt: now };
  });
}

/** Nothing is charged before the trial's end. */
export function previewMoveTrial(
  pool: Pool,
  { subscriptionId, endsAt: wanted }: { readonly subscriptionId: string; readonly endsAt: string | null },
): Promise<PreviewedChange | Refused> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const refusal = refusalOf('moveTrial', operable(subscription));
    if (refusal) return refused(refusal);
    const endsAt = await trialEndAt(tx, subscription, wanted);
    if (typeof endsAt !== 'string') return endsAt;
    const { now, currency } = subscription;
    const first = await firstChargeAt(tx, subscription, endsAt);
    if (endsAt > now) return chargesNothing(subscription, endsAt, { at: endsAt, total: first.total });
    return { kind: 'calculated', ...first, currency, calculatedAt: now, effectiveAt: now };
  });
}

function chargesNothing(
  { now, currency }: LockedSubscription,
  effectiveAt: string,
  nextRenewal: PreviewedChange['nextRenewal'],
): PreviewedChange {
  return { kind: 'calculated', lines: [], total: 0, currency, calculatedAt: now, effectiveAt, nextRenewal };
}

async function atOnce(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: ChangeToPreview,
): Promise<PreviewedChange | Refused> {
  const change = await calculateChange(tx, subscription, wanted);
  if (change.kind === 'refused') return change;
  const { lines, total, period, target, coupon, cyclesLeft } = change;
  return {
    kind: 'calculated',
    lines,
    total,
    currency: subscription.currency,
    calculatedAt: period.start,
    effectiveAt: period.start,
    nextRenewal:
      cyclesLeft === 0
        ? null
        : {
            at: period.end,
            total: totalAt({ ...subscription, product_id: target.planId, ...coupon }, target, period.end),
          },
  };
}

async function atPeriodEnd(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: ChangeToPreview,
): Promise<PreviewedChange | Refused> {
  const planned = await planChange(tx, subscription, wanted);
  if ('kind' in planned) return planned;
  const { effectiveAt, total } = planned;
  return {
    kind: 'calculated',
    lines: [],
    total: 0,
    currency: subscription.currency,
    calculatedAt: subscription.now,
    effectiveAt,
    nextRenewal: { at: effectiveAt, total },
  };
}
