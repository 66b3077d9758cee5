/** Pauses a subscription at the end of its paid period, and resumes it at a date or when its merchant asks. */
import { boundary } from '../../domain/core/calendar.ts';
import { refusalOf } from '../../domain/subscription/operations.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { isInQuestion } from './calculate-change.ts';
import { recordSubscriptionEvent, recordSubscriptionEvents } from './subscription-events.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  operable,
  operate,
  refused,
} from './subscription-operations.ts';
import { type LockedSubscription, type SubscriptionChanges, saveSubscription } from './subscription-row.ts';

export const LONGEST_PAUSE_YEARS = 5;

export interface PauseOperation extends Operation {
  /** When the pause ends; null for a pause that lasts until it is resumed. */
  readonly resumesAt: string | null;
}

/** Schedules a pause; a repeated call changes the date. */
export function pauseSubscription(pool: Pool, operation: PauseOperation): Promise<OperationAnswer> {
  return operate(pool, 'pause', operation, async (tx, subscription) => {
    const resumesAt = operation.resumesAt && new Date(operation.resumesAt).toISOString();
    if (resumesAt && !isPossible(subscription, resumesAt)) return refused('pause_date_invalid');
    const isPaused = subscription.status === 'paused';
    // The limit of a moving sandbox clock was computed without the periods after the pause (rule 37).
    if (isPaused && subscription.clock_target !== null) return refused('advances_running');
    if (resumesAt === subscription.resumes_at && (isPaused || subscription.pause_at_period_end))
      return done();
    return set(tx, subscription, { pause_at_period_end: !isPaused, resumes_at: resumesAt });
  });
}

/** Schedules the pause of a request lost in a restore, if the period that it was about is the present one. */
export async function pauseAsLost(
  tx: Transaction,
  subscription: LockedSubscription,
  { requestedAt, resumesAt }: { readonly requestedAt: string; readonly resumesAt: string | null },
): Promise<void> {
  const { status, current_period_end: end, pause_at_period_end: isSet } = subscription;
  const isOver = status === 'paused' || end === null || end <= requestedAt;
  if (isOver || isSet || refusalOf('pause', operable(subscription))) return;
  const hasDate = resumesAt !== null && isPossible(subscription, resumesAt);
  await set(tx, subscription, { pause_at_period_end: true, resumes_at: hasDate ? resumesAt : null });
}

function isPossible({ now, current_period_end: end }: LockedSubscription, resumesAt: string): boolean {
  const begins = end !== null && end > now ? end : now;
  return resumesAt > begins && resumesAt <= boundary(begins, 'year', LONGEST_PAUSE_YEARS);
}

/** Begins a pause at the end of the period, when nothing is unpaid. */
export async function beginPause(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const paused = await saveSubscription(tx, subscription, {
    status: 'paused',
    pause_at_period_end: false,
    next_period_waits: false,
  });
  await recordSubscriptionEvents(tx, paused, [
    { type: 'subscription.updated' },
    { type: 'subscription.paused' },
  ]);
}

/** Cancels a pause that has not begun, or ends a running pause now, which begins and charges a period. */
export function resumeSubscription(pool: Pool, operation: Operation): Promise<OperationAnswer> {
  return operate(pool, 'resume', operation, async (tx, subscription) => {
    const { status, now, resumes_at: resumesAt, clock_target: clockTarget } = subscription;
    if (status !== 'paused') return set(tx, subscription, { pause_at_period_end: false, resumes_at: null });
    if (clockTarget !== null) return refused('advances_running');
    if (await isInQuestion(tx, subscription)) return refused('subscription_charge_pending');
    // The end may already be due and only processed late.
    if (resumesAt === null || resumesAt > now) await saveSubscription(tx, subscription, { resumes_at: now });
    return done();
  });
}

async function set(
  tx: Transaction,
  subscription: LockedSubscription,
  changes: SubscriptionChanges,
): Promise<OperationAnswer> {
  const changed = await saveSubscription(tx, subscription, changes);
  await recordSubscriptionEvent(tx, changed, { type: 'subscription.updated' });
  return done();
}
