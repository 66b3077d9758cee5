/** Pauses a subscription at the end of its paid period, and resumes it at a date or at its merchant's request. */
import { boundary, periodAt } from '../../domain/core/calendar.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { isInQuestion } from './calculate-change.ts';
import { isPreviewOutdated, type Previewable } from './core/outdated-preview.ts';
import { calculateResumption } from './core/planned-period.ts';
import { recordSubscriptionEvent, recordSubscriptionEvents } from './core/subscription-events.ts';
import { intervalOf } from './core/subscription-invoices.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  type OperationRefusal,
  operate,
  refused,
} from './core/subscription-operations.ts';
import {
  type LockedSubscription,
  type SubscriptionChanges,
  saveSubscription,
} from './core/subscription-row.ts';

export const LONGEST_PAUSE_YEARS = 5;

export interface PauseOperation extends Operation {
  /** When the pause ends; null if it lasts until it is resumed. */
  readonly resumesAt: string | null;
}

/** Schedules a pause; a repeated call changes the date. */
export function pauseSubscription(pool: Pool, operation: PauseOperation): Promise<OperationAnswer> {
  return operate(pool, 'pause', operation, async (tx, subscription) => {
    const resumesAt = operation.resumesAt && new Date(operation.resumesAt).toISOString();
    const refusal = pauseRefusal(subscription, resumesAt);
    if (refusal) return refused(refusal);
    await settleLostEffect(tx, subscription, 'pauses');
    const isPaused = subscription.status === 'paused';
    if (resumesAt === subscription.resumes_at && (isPaused || subscription.pause_at_period_end))
      return done();
    return set(tx, subscription, { pause_at_period_end: !isPaused, resumes_at: resumesAt });
  });
}

/** Returns why a pause cannot end at this date; null if it can. */
export function pauseRefusal(
  subscription: LockedSubscription,
  resumesAt: string | null,
): OperationRefusal | null {
  if (resumesAt !== null && !isPossible(subscription, resumesAt)) return 'pause_date_invalid';
  // The work limit of a moving sandbox clock was computed without the periods after the pause (rule 37).
  return subscription.status === 'paused' && subscription.clock_target !== null ? 'advances_running' : null;
}

/**
 * Pauses, with its period, a subscription about whose pause a request was lost. The request's date counts if the
 * request was made in the current period, or if it is the first lost request and the copy has a pause. A subscription
 * that is unpaid or in its trial cannot pause: it is held (`isHeld`).
 */
export async function pauseAsLost(
  tx: Transaction,
  subscription: LockedSubscription,
  {
    requestedAt,
    resumesAt,
    isFirst,
  }: { readonly requestedAt: string; readonly resumesAt: string | null; readonly isFirst: boolean },
): Promise<void> {
  const { status, current_period_start: start, current_period_end: end } = subscription;
  const isPaused = status === 'paused';
  const hasPause = isFirst && (isPaused || subscription.pause_at_period_end);
  const isPresent = start !== null && end !== null && start <= requestedAt && requestedAt < end;
  // If the date has passed, the pause ends at that date, so that the charge has the same ids as in the lost copy.
  const holds = cannotPause(subscription);
  const hasDate = !holds && (hasPause || isPresent) && resumesAt !== null && end !== null && resumesAt > end;
  await set(tx, subscription, {
    pause_at_period_end: !isPaused && status !== 'trialing',
    resumes_at: hasDate ? resumesAt : null,
    charging_stopped: subscription.charging_stopped || holds,
  });
}

/** Returns whether the subscription is in its trial, or a charge of it is unpaid or open. */
export function cannotPause(subscription: LockedSubscription): boolean {
  const { status, unpaid_invoices: unpaid, open_payment_id: openPayment } = subscription;
  return status === 'trialing' || unpaid > 0 || openPayment !== null;
}

/** Returns when a pause requested now would begin. */
export function pauseStart({ now, current_period_end: end }: LockedSubscription): string {
  return end !== null && end > now ? end : now;
}

function isPossible(subscription: LockedSubscription, resumesAt: string): boolean {
  const begins = pauseStart(subscription);
  return resumesAt > begins && resumesAt <= boundary(begins, 'year', LONGEST_PAUSE_YEARS);
}

/**
 * Begins a pause at the end of the period, when nothing is unpaid. If the resume date passed while an invoice was
 * unpaid, the periods skipped since that date stay skipped. As in `periodOfPayment`, a restored copy of the database
 * computes the same period.
 */
export async function beginPause(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const { now, price_id, next_period_waits: waits, resumes_at: date } = subscription;
  const { interval, interval_count: count } = await intervalOf(tx, price_id);
  const paused = await saveSubscription(tx, subscription, {
    status: 'paused',
    pause_at_period_end: false,
    next_period_waits: false,
    ...(waits && date !== null && { resumes_at: periodAt(date, date, now, interval, count).start }),
  });
  await recordSubscriptionEvents(tx, paused, [
    { type: 'subscription.updated' },
    { type: 'subscription.paused' },
  ]);
}

/**
 * Cancels a pause that has not begun, or ends a running pause: a period then begins and is charged, now or at the
 * preview's time.
 */
export function resumeSubscription(pool: Pool, operation: Operation & Previewable): Promise<OperationAnswer> {
  return operate(pool, 'resume', operation, async (tx, subscription) => {
    const { status, now, resumes_at: resumesAt } = subscription;
    const { calculatedAt = null } = operation;
    // A resume date that is due may not be processed yet: the period then begins at that date instead of now.
    const isDue = status === 'paused' && resumesAt !== null && resumesAt <= now;
    if (isPreviewOutdated(subscription, operation) || (isDue && calculatedAt !== null))
      return refused('preview_outdated', (await calculateResumption(tx, subscription, now)).total);
    const refusal = status === 'paused' ? await resumeRefusal(tx, subscription) : null;
    if (refusal) return refused(refusal);
    await settleLostEffect(tx, subscription, 'pauses');
    if (status !== 'paused')
      return set(tx, subscription, { pause_at_period_end: false, resumes_at: null }, 'pause_withdrawn');
    if (!isDue) await saveSubscription(tx, subscription, { resumes_at: calculatedAt ?? now });
    return done();
  });
}

/**
 * Marks the effects of lost requests on the subscription as decided, so that later decisions of an operator change
 * nothing.
 */
export async function settleLostEffect(
  tx: Transaction,
  { id }: LockedSubscription,
  effect: 'stops' | 'pauses',
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update restore_findings set effect = null where state = 'person' and owner_id = ${id} and effect = ${effect}`);
}

/** Returns why a paused subscription cannot begin a period now; null if it can. */
export async function resumeRefusal(
  tx: Transaction,
  subscription: LockedSubscription,
): Promise<OperationRefusal | null> {
  if (subscription.clock_target !== null) return 'advances_running';
  return (await isInQuestion(tx, subscription)) ? 'subscription_charge_pending' : null;
}

async function set(
  tx: Transaction,
  subscription: LockedSubscription,
  changes: SubscriptionChanges,
  change: 'pause_set' | 'pause_withdrawn' = 'pause_set',
): Promise<OperationAnswer> {
  const changed = await saveSubscription(tx, subscription, changes);
  await recordSubscriptionEvent(tx, changed, { type: 'subscription.updated', change });
  return done();
}
