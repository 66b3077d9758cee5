/** A refund at the rail: looked up, and its answer recorded. */
import {
  type LookupTimings,
  lookupDelaySeconds,
  quickLookupsOver,
} from '../../domain/core/lookup-schedule.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { RefundAnswer, RefundView } from '../../domain/refund/refund.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { database, rail } from '../core/proxies.ts';

/** One run of a refund's workflow. The refund itself is in the database. */
export interface RefundRun {
  readonly refundId: string;
  readonly timings: LookupTimings;
  lookups: number;
  /** Shown to operators. */
  lastAnswer?: LastAnswer;
}

export function delaySeconds({ lookups, timings }: RefundRun): number {
  return lookupDelaySeconds(lookups, timings.reconcileSeconds, timings.reconcileLongSeconds);
}

export async function lookUp(run: RefundRun, resolution?: Resolution): Promise<RefundView> {
  const answer = await rail.lookUpRefund(run.refundId);
  run.lookups += 1;
  return recordAnswer(run, answer, resolution);
}

export function recordAnswer(
  run: RefundRun,
  answer: RefundAnswer,
  resolution?: Resolution,
): Promise<RefundView> {
  // An operator's decision is not an answer of the rail.
  if (!resolution) run.lastAnswer = { answer, at: new Date() };
  return database.recordRefund({
    refundId: run.refundId,
    answer,
    patienceOver: quickLookupsOver(run.lookups, run.timings.reconcileSeconds),
    nextLookupSeconds: delaySeconds(run),
    resolution,
  });
}
