/** A refund at the rail: looked up, and its answer recorded. */
import {
  countLookup,
  type LookupCause,
  type LookupCounts,
  type LookupTimings,
  lookupDelaySeconds,
  quickLookupsOver,
} from '../../domain/core/lookup-schedule.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { RefundAnswer, RefundView } from '../../domain/refund/refund.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { database, rail } from '../core/proxies.ts';

/** One run of a refund's workflow. The refund itself is in the database. */
export interface RefundRun extends LookupCounts {
  readonly refundId: string;
  readonly timings: LookupTimings;
  /** Shown to operators. */
  lastAnswer?: LastAnswer;
}

export function nextLookupSeconds({ scheduledLookups, timings }: RefundRun): number {
  return lookupDelaySeconds(scheduledLookups, timings.reconcileSeconds, timings.reconcileLongSeconds);
}

/**
 * Asks the rail and records its answer. Needs no `patched`: how a look-up is counted changes only a timer's length and an activity's argument, which replay
 * does not compare.
 */
export async function lookUp(
  run: RefundRun,
  cause: LookupCause = 'schedule',
  resolution?: Resolution,
): Promise<RefundView> {
  const answer = await rail.lookUpRefund(run.refundId);
  countLookup(run, cause);
  return recordAnswer(run, answer, resolution);
}

export function recordAnswer(
  run: RefundRun,
  answer: RefundAnswer,
  resolution?: Resolution,
): Promise<RefundView> {
  // An operator's decision is not an answer from the rail.
  if (!resolution) run.lastAnswer = { answer, at: new Date() };
  return database.recordRefund({
    refundId: run.refundId,
    answer,
    patienceOver: quickLookupsOver(run.lookups, run.timings.reconcileSeconds),
    nextLookupSeconds: nextLookupSeconds(run),
    resolution,
  });
}
