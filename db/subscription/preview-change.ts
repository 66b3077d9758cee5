/** Previews what an operation would charge, when it takes effect, and what the next renewal charges. */

import {
  refusalOf,
  type SubscriptionOperationName,
  type WantedChange,
} from '../../domain/subscription/operations.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { calculateChange } from './calculate-change.ts';
import { type CancelOperation, endsWithPeriod } from './cancel-subscription.ts';
import { isPreviewOutdated } from './core/outdated-preview.ts';
import { calculateResumption, type NextPeriod, renewalOf } from './core/planned-period.ts';
import { operable, type Refused, refused } from './core/subscription-operations.ts';
import { isLastPeriod, type LockedSubscription, lockSubscription } from './core/subscription-row.ts';
import { firstChargeAt, trialEndAt } from './move-trial.ts';
import { pauseRefusal, pauseStart, resumeRefusal } from './pause-subscription.ts';
import { planChange, totalAt } from './subscription-changes.ts';

/**
 * `nextRenewal` is null after a cancellation, in the last of a limited number of periods, and before a pause without a
 * date.
 */
export interface PreviewedChange extends NextPeriod {
  readonly kind: 'calculated';
  readonly currency: string;
  readonly calculatedAt: string;
  readonly effectiveAt: string;
}

export type ChangeToPreview = WantedChange & {
  readonly subscriptionId: string;
  readonly effective: 'now' | 'period_end';
};

/** Calculates a preview under the subscription's lock, because it reads facts in several statements. */
function preview(
  pool: Pool,
  name: SubscriptionOperationName,
  subscriptionId: string,
  work: (
    tx: Transaction,
    subscription: LockedSubscription,
  ) => PreviewedChange | Refused | Promise<PreviewedChange | Refused>,
): Promise<PreviewedChange | Refused> {
  return pool.transaction(async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    const refusal = refusalOf(name, operable(subscription));
    return refusal ? refused(refusal) : work(tx, subscription);
  });
}

export function previewChange(pool: Pool, wanted: ChangeToPreview): Promise<PreviewedChange | Refused> {
  const isNow = wanted.effective === 'now';
  return preview(pool, isNow ? 'changeNow' : 'scheduleChange', wanted.subscriptionId, (tx, subscription) =>
    isNow ? atOnce(tx, subscription, wanted) : atPeriodEnd(tx, subscription, wanted),
  );
}

/** A cancellation neither charges nor refunds anything. */
export function previewCancel(
  pool: Pool,
  wanted: Omit<CancelOperation, 'operationKey'>,
): Promise<PreviewedChange | Refused> {
  return preview(pool, 'cancel', wanted.subscriptionId, (_, subscription) => {
    if (isPreviewOutdated(subscription, wanted)) return refused('preview_outdated', 0);
    const { now, current_period_end: end } = subscription;
    const effectiveAt = endsWithPeriod(subscription, wanted) ? (end ?? now) : now;
    return chargesNothing(subscription, effectiveAt, null);
  });
}

export function previewUndoCancel(pool: Pool, subscriptionId: string): Promise<PreviewedChange | Refused> {
  return preview(pool, 'undoCancel', subscriptionId, (_, subscription) => {
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
  return preview(pool, 'pause', subscriptionId, (_, subscription) => {
    const refusal = pauseRefusal(subscription, resumesAt);
    if (refusal) return refused(refusal);
    const next = resumesAt === null ? null : renewalOf(subscription, resumesAt);
    return chargesNothing(subscription, pauseStart(subscription), next);
  });
}

export function previewResume(pool: Pool, subscriptionId: string): Promise<PreviewedChange | Refused> {
  return preview(pool, 'resume', subscriptionId, async (tx, subscription) => {
    const { now, status } = subscription;
    const refusal = status === 'paused' ? await resumeRefusal(tx, subscription) : null;
    if (refusal) return refused(refusal);
    return calculated(subscription, now, await calculateResumption(tx, subscription, now));
  });
}

/** Nothing is charged before the trial ends. */
export function previewMoveTrial(
  pool: Pool,
  { subscriptionId, endsAt: wanted }: { readonly subscriptionId: string; readonly endsAt: string | null },
): Promise<PreviewedChange | Refused> {
  return preview(pool, 'moveTrial', subscriptionId, async (tx, subscription) => {
    const endsAt = await trialEndAt(tx, subscription, wanted);
    if (typeof endsAt !== 'string') return endsAt;
    const { now } = subscription;
    const first = await firstChargeAt(tx, subscription, endsAt);
    return endsAt > now
      ? chargesNothing(subscription, endsAt, { at: endsAt, total: first.total })
      : calculated(subscription, now, first);
  });
}

function calculated(
  { now, currency }: LockedSubscription,
  effectiveAt: string,
  charge: NextPeriod,
): PreviewedChange {
  return { kind: 'calculated', ...charge, currency, calculatedAt: now, effectiveAt };
}

function chargesNothing(
  subscription: LockedSubscription,
  effectiveAt: string,
  nextRenewal: NextPeriod['nextRenewal'],
): PreviewedChange {
  return calculated(subscription, effectiveAt, { lines: [], total: 0, nextRenewal });
}

async function atOnce(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: ChangeToPreview,
): Promise<PreviewedChange | Refused> {
  const change = await calculateChange(tx, subscription, wanted);
  if (change.kind === 'refused') return change;
  const { lines, total, period, target, coupon, cyclesLeft } = change;
  const { start, end: at } = period;
  const next = { ...subscription, product_id: target.planId, ...coupon };
  const nextRenewal = cyclesLeft === 0 ? null : { at, total: totalAt(next, target, at) };
  return { ...calculated(subscription, start, { lines, total, nextRenewal }), calculatedAt: start };
}

async function atPeriodEnd(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: ChangeToPreview,
): Promise<PreviewedChange | Refused> {
  const planned = await planChange(tx, subscription, wanted);
  if ('kind' in planned) return planned;
  const { effectiveAt, total } = planned;
  return chargesNothing(subscription, effectiveAt, { at: effectiveAt, total });
}
