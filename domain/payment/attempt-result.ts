/** Data passed between a workflow and an attempt's activities (activities/payment/attempt.ts). */
import {
  type LookupCounts,
  type LookupTimings,
  lookupDelaySeconds,
  noLookups,
  quickLookupsOver,
} from '../core/lookup-schedule.ts';
import type { ResolveCommand, StoredRequest } from '../core/resolution.ts';

/** How long to wait if an answer settles nothing. */
export interface LookupPlan {
  /** The session, subscription or refund. */
  readonly owner: string;
  /** True if the quick look-ups are used up: an operator may have to decide. */
  readonly lookupTimeUp: boolean;
  /** When the workflow looks up again. */
  readonly nextLookupSeconds: number;
}

export interface OfAttempt extends LookupPlan {
  readonly attemptId: string;
}

/** The part of an attempt that a look-up ends at the rail. */
export type EndAtRail = 'nothing' | 'challenge' | 'open';

export interface AttemptResult<Outcome, View> {
  /** The owner's view afterwards. */
  readonly view: View;
  /** Null if nothing was claimed. */
  readonly attemptId: string | null;
  /** True if the call, or the record of its answer, is left to `goOn`. */
  readonly underWay: boolean;
  /** For display to operators only: the outcome is already recorded, or the rail has not answered yet. */
  readonly outcome: Outcome | null;
}

/** An operator's decision about an attempt in doubt (rule 17). */
export interface ToResolve extends LookupPlan {
  /** Null if nothing is in doubt, so that nothing is resolved. */
  readonly attemptId: string | null;
  /** Version before the look-up; if it has changed, nothing is written. */
  readonly version: number;
  readonly request: ResolveCommand | StoredRequest;
}

export interface Resolved<View> {
  readonly view: View;
  /** Why the decision does not hold; null if it does. */
  readonly refused: string | null;
}

/** @param isOver true if the time limit has passed, regardless of the counts */
export function lookupPlan(
  owner: string,
  { reconcileSeconds, reconcileLongSeconds }: LookupTimings,
  { lookups, scheduledLookups }: LookupCounts = noLookups(),
  isOver = false,
): LookupPlan {
  return {
    owner,
    lookupTimeUp: isOver || quickLookupsOver(lookups, reconcileSeconds),
    nextLookupSeconds: lookupDelaySeconds(scheduledLookups, reconcileSeconds, reconcileLongSeconds),
  };
}
