/** Sends and looks up a subscription's open charge. Each activity records the rail's answer. */
import type { AttemptResult } from '../../activities/payment/attempt.ts';
import {
  countLookup,
  type LookupCause,
  type LookupCounts,
  type LookupPlan,
  type LookupTimings,
  lookupPlan,
  noLookups,
} from '../../domain/core/lookup-schedule.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { SubscriptionView } from '../../domain/subscription/subscription-view.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { activities, localActivities } from '../core/proxies.ts';

/**
 * State of one run of a subscription's workflow; the subscription itself is in the database. The counts cover the open
 * charge's look-ups since its call.
 */
export interface SubscriptionRun extends LookupCounts {
  readonly subscriptionId: string;
  readonly merchantId: string;
  readonly timings: LookupTimings;
  /** Shown to operators in Temporal UI. */
  lastAnswer?: LastAnswer;
}

type ChargeResult = AttemptResult<AttemptOutcome, SubscriptionView>;

/** Claims the due charge, sends it and records the rail's answer, in one activity if the rail answers in time. */
export async function bill(
  run: SubscriptionRun,
  before: SubscriptionView,
  due: 'boundary' | 'charge',
): Promise<SubscriptionView> {
  // The counts are those of one charge: a period that ends while its outcome is unknown does not reset them.
  if (!before.openAttempt) Object.assign(run, noLookups());
  const { subscriptionId, merchantId, timings } = run;
  const billed = await localActivities.bill({ due, merchantId, ...lookupPlan(subscriptionId, timings) });
  const { attemptId, outcome } = billed;
  return attemptId && !outcome ? continueCharge(run, billed.view, attemptId) : afterAttempt(run, billed);
}

/** Sends a charge claimed by an earlier run, or waits for the call that `bill` started. */
export async function continueCharge(
  run: SubscriptionRun,
  view: SubscriptionView,
  attemptId: string,
): Promise<SubscriptionView> {
  return afterAttempt(run, await activities.continueCharge({ attemptId, ...lookupPlanOf(run, view) }));
}

export async function lookUpCharge(
  run: SubscriptionRun,
  view: SubscriptionView,
  cause: LookupCause = 'schedule',
): Promise<SubscriptionView> {
  if (!view.openAttempt) return view;
  countLookup(run, cause);
  const { attemptId } = view.openAttempt;
  return afterAttempt(
    run,
    await activities.lookUpCharge({ attemptId, end: 'nothing', ...lookupPlanOf(run, view) }),
  );
}

/** Passed to each activity in case the rail's answer settles nothing. Look-ups of earlier runs are not counted. */
export function lookupPlanOf(run: SubscriptionRun, view: SubscriptionView): LookupPlan {
  return lookupPlan(run.subscriptionId, run.timings, run, view.reconciling);
}

function afterAttempt(run: SubscriptionRun, { view, outcome }: ChargeResult): SubscriptionView {
  if (outcome) run.lastAnswer = { answer: outcome, at: new Date() };
  if (!view.openAttempt) Object.assign(run, noLookups());
  return view;
}
