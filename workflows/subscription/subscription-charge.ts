/** The open charge of a subscription at the rail: sent, looked up, recorded. */

import {
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
import { database, rail, railWithinTask } from '../core/proxies.ts';

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

/** What is due: claims a charge, sends it and records the rail's answer, in one step if the rail answers soon. */
export async function bill(
  run: SubscriptionRun,
  before: SubscriptionView,
  due: 'boundary' | 'charge',
): Promise<SubscriptionView> {
  const { subscriptionId, timings } = run;
  const { reconcileSeconds, reconcileLongSeconds } = timings;
  // Look-ups are those of one charge. A period that ends during a doubt leaves its counts alone.
  if (!before.openPayment) Object.assign(run, noLookups());
  const { view, paymentId, outcome, left } = await railWithinTask.billWithinTask({
    subscriptionId,
    due,
    patienceOver: quickLookupsOver(0, reconcileSeconds),
    nextLookupSeconds: lookupDelaySeconds(0, reconcileSeconds, reconcileLongSeconds),
  });
  if (!left || !paymentId) {
    if (outcome) run.lastAnswer = { answer: outcome, at: new Date() };
    return view;
  }
  // `call`: the rail is still to be asked; `record`: its answer is still to be recorded, and a challenge to be ended.
  const answer = outcome ? await endIfChallenged(paymentId, outcome) : await charge(paymentId);
  return recordCharge(run, view, { paymentId, outcome: answer });
}

/** Sends a charge that an earlier run has claimed, or waits for the call of a step. */
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
  countLookup(run, cause);
  const outcome = await endIfChallenged(paymentId, await rail.lookUpAttempt(paymentId));
  return recordCharge(run, view, { paymentId, outcome });
}

/** @param answer is recorded for this charge only, whichever is open */
export async function recordCharge(
  run: SubscriptionRun,
  view: SubscriptionView,
  { paymentId, outcome }: { readonly paymentId: string; readonly outcome: AttemptOutcome },
  resolution?: Resolution,
): Promise<SubscriptionView> {
  const { reconcileSeconds, reconcileLongSeconds } = run.timings;
  // An operator's decision is not an answer from the rail.
  if (!resolution) run.lastAnswer = { answer: outcome, at: new Date() };
  const recorded = await database.recordCharge({
    subscriptionId: run.subscriptionId,
    paymentId,
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
