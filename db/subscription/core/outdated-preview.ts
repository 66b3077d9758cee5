/** Decides whether the preview of an operation other than a change is outdated. */
import { isOutdated } from '../../../domain/subscription/change-now.ts';
import { changedAtOf, type LockedSubscription } from './subscription-row.ts';

/** An operation that may have been previewed. */
export interface Previewable {
  /** When the preview was calculated; if absent, the operation is not compared with a preview. */
  readonly calculatedAt?: string | null | undefined;
}

export function isPreviewOutdated(
  subscription: LockedSubscription,
  { calculatedAt = null }: Previewable,
): boolean {
  if (calculatedAt === null) return false;
  const { status, now, current_period_start, current_period_end, resumes_at } = subscription;
  const [start, end] =
    status === 'paused' ? [current_period_end, resumes_at] : [current_period_start, current_period_end];
  if (end !== null && calculatedAt < end && end <= now) return true;
  // A period that was already over at the preview has not ended since.
  const period = { start: start ?? now, end: end !== null && end <= now ? null : end };
  return isOutdated({ calculatedAt, now, period, changedAt: changedAtOf(subscription) });
}
