/** The open charge of a subscription at the rail: sent, looked up, recorded. */

import {
  countedCause,
  countLookup,
  type LookupCause,
  type LookupCounts,
  type LookupTimings,
  lookupDelaySeconds,
  noLookups,
  quickLookupsOver,
} from '../../domain/core/lookup-schedule.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { SubscriptionView } from '../../domain/subscription/subscription-steps.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { database, rail } from '../core/proxies.ts';

/**
 * One run of a subscription's workflow. The subscription itself is in the database. Look-ups are those of the open
 * charge since its call.
 */
export interface SubscriptionRun extends LookupCounts {
  readonly subscriptionId: string;
  readonly timings: LookupTimings;
  /** Shown to operators. */
  lastAnswer?: LastAnswer;
}

export async function charge(paymentId: string): Promise<AttemptOutcome> {
  return endIfChallenged(paymentId, await rail.chargeStored(paymentId));
}

export async function lookUpCharge(
  run: SubscriptionRun,
  view: SubscriptionView,
  cause: LookupCause = 'schedule',
): Promise<SubscriptionView> {
  if (!view.openPayment) return view;
  const { paymentId } = view.openPayment;
  countLookup(run, countedCause(view, cause));
  return recordCharge(run, view, await endIfChallenged(paymentId, await rail.lookUpAttempt(paymentId)));
}

export async function recordCharge(
  run: SubscriptionRun,
  view: SubscriptionView,
  outcome: AttemptOutcome,
  resolution?: Resolution,
): Promise<SubscriptionView> {
  if (!view.openPayment) return view;
  const { reconcileSeconds, reconcileLongSeconds } = run.timings;
  // An operator's decision is not an answer from the rail.
  if (!resolution) run.lastAnswer = { answer: outcome, at: new Date() };
  const recorded = await database.recordCharge({
    subscriptionId: run.subscriptionId,
    paymentId: view.openPayment.paymentId,
    outcome,
    // A new run does not know its predecessor's number of look-ups, only what it wrote.
    patienceOver: view.reconciling || quickLookupsOver(run.lookups, reconcileSeconds),
    nextLookupSeconds: lookupDelaySeconds(run.scheduledLookups, reconcileSeconds, reconcileLongSeconds),
    resolution,
  });
  if (!recorded.openPayment) Object.assign(run, noLookups());
  return recorded;
}

/**
 * Nobody can pass a challenge of an off-session charge: ends the attempt, which counts as declined with
 * `authentication_required`.
 */
async function endIfChallenged(paymentId: string, outcome: AttemptOutcome): Promise<AttemptOutcome> {
  if (outcome.kind !== 'challenge') return outcome;
  const ended = await rail.endAttempt(paymentId);
  if (ended.kind !== 'cancelled') return ended;
  return { kind: 'declined', code: 'authentication_required', retryable: false };
}
