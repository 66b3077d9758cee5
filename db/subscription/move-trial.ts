/** Moves the end of a trial, and with it the first charge, a scheduled change and the announcement. */
import { addDays } from '../../domain/core/calendar.ts';
import { LONGEST_TRIAL_DAYS } from '../../domain/subscription/first-period.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { isInQuestion } from './calculate-change.ts';
import { isPreviewOutdated, type Previewable } from './core/outdated-preview.ts';
import { calculateNext, changeAt, type NextPeriod } from './core/planned-period.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  operate,
  type Refused,
  refused,
} from './core/subscription-operations.ts';
import { type LockedSubscription, saveSubscription } from './core/subscription-row.ts';

export interface MoveTrial extends Operation, Previewable {
  /** When the trial ends. Null for now, or the preview's time: the first period begins and is charged immediately. */
  readonly endsAt: string | null;
}

export function moveTrial(pool: Pool, operation: MoveTrial): Promise<OperationAnswer> {
  return operate(pool, 'moveTrial', operation, async (tx, subscription) => {
    const { calculatedAt, endsAt: wanted } = operation;
    const possible = await trialEndAt(tx, subscription, wanted);
    if (typeof possible !== 'string') return possible;
    if (isPreviewOutdated(subscription, operation))
      return refused('preview_outdated', (await firstChargeAt(tx, subscription, possible)).total);
    const endsAt = wanted === null ? (calculatedAt ?? possible) : possible;
    if (endsAt !== subscription.current_period_end) await move(tx, subscription, endsAt);
    return done();
  });
}

/**
 * Returns the instant at which the trial would end, or why it cannot end at the requested instant.
 * @param wanted null means now
 */
export async function trialEndAt(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: string | null,
): Promise<string | Refused> {
  const { now, current_period_end: end, clock_target: clockTarget } = subscription;
  // A trial that has ended, even if that is not processed yet, owes its first charge.
  if (end === null || end <= now) return refused('subscription_not_trialing');
  // The work limit of a moving sandbox clock was computed from the trial's old end (rule 37).
  if (clockTarget !== null) return refused('advances_running');
  const endsAt = wanted === null ? now : new Date(wanted).toISOString();
  const isPast = wanted !== null && endsAt <= now;
  if (isPast || endsAt > addDays(now, LONGEST_TRIAL_DAYS)) return refused('trial_end_invalid');
  return (await isInQuestion(tx, subscription)) ? refused('subscription_charge_pending') : endsAt;
}

/**
 * Calculates the charge for the first period if the trial ends at an instant. A scheduled change then also applies at
 * that instant.
 */
export async function firstChargeAt(
  tx: Transaction,
  subscription: LockedSubscription,
  endsAt: string,
): Promise<NextPeriod> {
  const { id, current_period_end: end } = subscription;
  return calculateNext(tx, subscription, await changeAt(tx, id, end ?? endsAt), endsAt);
}

async function move(tx: Transaction, subscription: LockedSubscription, endsAt: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update subscription_changes set effective_at = ${endsAt}, updated_at = ${subscription.now}
    where subscription_id = ${subscription.id} and status = 'scheduled'
  `);
  const moved = await saveSubscription(tx, subscription, {
    trial_end: endsAt,
    current_period_end: endsAt,
    billing_anchor: endsAt,
  });
  await recordSubscriptionEvent(tx, moved, { type: 'subscription.updated', change: 'trial_moved' });
}
