/** A refund at the rail: sent, looked up. Each step records the rail's answer. */
import {
  countLookup,
  type LookupCause,
  type LookupCounts,
  type LookupTimings,
} from '../../domain/core/lookup-schedule.ts';
import { type AttemptStep, type OfAttempt, stepWait } from '../../domain/payment/attempt-step.ts';
import type { RefundAnswer, RefundView } from '../../domain/refund/refund.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { rail } from '../core/proxies.ts';

/** One run of a refund's workflow. The refund itself is in the database. */
export interface RefundRun extends LookupCounts {
  readonly refundId: string;
  readonly timings: LookupTimings;
  /** Shown to operators. */
  lastAnswer?: LastAnswer;
}

/** A refund is its own attempt. */
export function ofRefund(run: RefundRun): OfAttempt {
  return { attemptId: run.refundId, ...stepWait(run.refundId, run.timings, run) };
}

export async function send(run: RefundRun): Promise<RefundView> {
  return afterStep(run, await rail.sendRefund(ofRefund(run)));
}

export async function lookUp(run: RefundRun, cause: LookupCause = 'schedule'): Promise<RefundView> {
  countLookup(run, cause);
  return afterStep(run, await rail.lookUpRefund({ end: 'nothing', ...ofRefund(run) }));
}

function afterStep(run: RefundRun, { view, outcome }: AttemptStep<RefundAnswer, RefundView>): RefundView {
  if (outcome) run.lastAnswer = { answer: outcome, at: new Date() };
  return view;
}
