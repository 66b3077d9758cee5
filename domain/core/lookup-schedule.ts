/**
 * Intervals of look-ups in seconds, from the configuration. They are part of a workflow's input, so that a deployment
 * does not change a running workflow.
 */
export interface LookupTimings {
  /** Delays of the quick look-ups after an unknown outcome; after the last one an operator may have to decide. */
  readonly reconcileSeconds: readonly number[];
  /** Delays after the quick look-ups; the last one repeats indefinitely. */
  readonly reconcileLongSeconds: readonly number[];
}

/** Counts of look-ups of one attempt at the rail. */
export interface LookupCounts {
  /** All look-ups except those caused by the rail's webhooks; each of them uses up one of the quick delays. */
  lookups: number;
  /** Scheduled look-ups only; they lengthen the next wait (rule 18). */
  scheduledLookups: number;
}

export const noLookups = (): LookupCounts => ({ lookups: 0, scheduledLookups: 0 });

/** The cause of a look-up: the schedule, an operator's request or a rail webhook. */
export type LookupCause = 'schedule' | 'asked' | 'webhook';

export function countLookup(counts: LookupCounts, cause: LookupCause): void {
  if (cause !== 'webhook') counts.lookups += 1;
  if (cause === 'schedule') counts.scheduledLookups += 1;
}

/**
 * The wait before the next look-up of an unknown outcome: the quick delays, then the long ones, of which the
 * last repeats indefinitely (rule 18).
 */
export function lookupDelaySeconds(
  lookupsDone: number,
  quickSeconds: readonly number[],
  longSeconds: readonly number[],
): number {
  const all = [...quickSeconds, ...longSeconds];
  const delay = all[Math.min(lookupsDone, all.length - 1)];
  if (delay === undefined) throw new RangeError('the look-up schedule is empty');
  return delay;
}

/** True once the quick look-ups are used up: an operator may have to decide. */
export function quickLookupsOver(lookupsDone: number, quickSeconds: readonly number[]): boolean {
  return lookupsDone >= quickSeconds.length;
}

/** How to continue after an answer that settles nothing. */
export interface LookupPlan {
  /** Id of the session, subscription or refund. */
  readonly ownerId: string;
  /** True if the quick look-ups are used up: an operator may have to decide. */
  readonly lookupTimeUp: boolean;
  /** Seconds until the workflow looks up again. */
  readonly nextLookupSeconds: number;
}

/** @param isOver true if the time limit has passed, regardless of the counts */
export function lookupPlan(
  ownerId: string,
  { reconcileSeconds, reconcileLongSeconds }: LookupTimings,
  { lookups, scheduledLookups }: LookupCounts = noLookups(),
  isOver = false,
): LookupPlan {
  return {
    ownerId,
    lookupTimeUp: isOver || quickLookupsOver(lookups, reconcileSeconds),
    nextLookupSeconds: lookupDelaySeconds(scheduledLookups, reconcileSeconds, reconcileLongSeconds),
  };
}
