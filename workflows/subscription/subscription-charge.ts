/** The open charge of a subscription: sent, looked up. Each step records the rail's answer. */
import {
  countLookup,
  type LookupCause,
  type LookupCounts,
  type LookupTimings,
  noLookups,
} from '../../domain/core/lookup-schedule.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { type AttemptStep, type StepWait, stepWait } from '../../domain/payment/attempt-step.ts';
import type { SubscriptionView } from '../../domain/subscription/subscription-steps.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { rail, railWithinTask } from '../core/proxies.ts';

/**
 * One run of a subscription's workflow. The subscription itself is in the database. The counts cover look-ups of the
 * open charge since its call.
 */
export interface SubscriptionRun extends LookupCounts {
  readonly subscriptionId: string;
  readonly merchantId: string;
  readonly timings: LookupTimings;
  /** Shown to operators. */
  lastAnswer?: LastAnswer;
}

type ChargeStep = AttemptStep<AttemptOutcome, SubscriptionView>;

/**
 * The due step: claims a charge, sends it and records the rail's answer, in one step if the rail answers
 * soon.
 */
export async function bill(
  run: SubscriptionRun,
  before: SubscriptionView,
  due: 'boundary' | 'charge',
): Promise<SubscriptionView> {
  // Counts the look-ups of one charge. A period that ends during a doubt does not reset them.
  if (!before.openPayment) Object.assign(run, noLookups());
  const { subscriptionId, merchantId, timings } = run;
  const billed = await railWithinTask.bill({ due, merchantId, ...stepWait(subscriptionId, timings) });
  const { attemptId, underWay } = billed;
  return attemptId && underWay ? goOn(run, billed.view, attemptId) : afterStep(run, billed);
}

/** Sends a charge that an earlier run has claimed, or waits for the call of a step. */
export async function goOn(
  run: SubscriptionRun,
  view: SubscriptionView,
  attemptId: string,
): Promise<SubscriptionView> {
  return afterStep(run, await rail.goOnBilling({ attemptId, ...waitOf(run, view) }));
}

export async function lookUpCharge(
  run: SubscriptionRun,
  view: SubscriptionView,
  cause: LookupCause = 'schedule',
): Promise<SubscriptionView> {
  if (!view.openPayment) return view;
  countLookup(run, cause);
  const { paymentId: attemptId } = view.openPayment;
  return afterStep(run, await rail.lookUpCharge({ attemptId, end: 'nothing', ...waitOf(run, view) }));
}

/** Passed to each step in case its answer settles nothing. A new run does not know its predecessor's look-ups. */
export function waitOf(run: SubscriptionRun, view: SubscriptionView): StepWait {
  return stepWait(run.subscriptionId, run.timings, run, view.reconciling);
}

function afterStep(run: SubscriptionRun, { view, outcome }: ChargeStep): SubscriptionView {
  if (outcome) run.lastAnswer = { answer: outcome, at: new Date() };
  if (!view.openPayment) Object.assign(run, noLookups());
  return view;
}
