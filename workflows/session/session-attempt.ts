/** The open attempt of a session at the rail: sent, looked up, ended, recorded. */
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
import { mustEnd, patienceOver, type SessionView } from '../../domain/session/session-steps.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { database, rail, railWithinTask } from '../core/proxies.ts';
import type { PayEntry } from './session-handlers.ts';

/**
 * One run of a session's workflow. The session itself is in the database. The counts cover look-ups of the open attempt
 * since its call, or since its challenge.
 */
export interface SessionRun extends LookupCounts {
  readonly checkoutId: string;
  readonly timings: LookupTimings;
  /** Shown to operators. */
  lastAnswer?: LastAnswer;
}

/** A click: claims an attempt, sends it and records the rail's answer, in one step if the rail answers soon. */
export async function pay(run: SessionRun, click: PayEntry): Promise<SessionView> {
  const { checkoutId, timings } = run;
  const { reconcileSeconds, reconcileLongSeconds } = timings;
  const paid = await railWithinTask.payWithinTask({
    checkoutId,
    claimId: click.command.claimId,
    patienceOver: quickLookupsOver(0, reconcileSeconds),
    nextLookupSeconds: lookupDelaySeconds(0, reconcileSeconds, reconcileLongSeconds),
  });
  click.answer(paid.answer);
  // `call`: the rail is still to be asked; `record`: only its answer is still to be recorded.
  const { view, left: remaining, answer } = paid;
  // Not `view.openPayment`: the click's attempt may have ended, and another one may be open.
  const paymentId = answer.kind === 'claimed' ? answer.paymentId : null;
  const outcome = remaining === 'call' && paymentId ? await rail.chargeAttempt(paymentId) : paid.outcome;
  if (!outcome) return view;
  Object.assign(run, noLookups());
  if (remaining && paymentId) return recordOutcome(run, view, { paymentId, outcome });
  run.lastAnswer = { answer: outcome, at: new Date() };
  return view;
}

/** Looks up the open attempt, and ends it when its time is over. */
export async function lookUpOrEnd(
  run: SessionRun,
  view: SessionView,
  cause: LookupCause = 'schedule',
): Promise<SessionView> {
  if (!view.openPayment) return view;
  const { paymentId, called } = view.openPayment;
  // A claim whose update was lost: the rail does not know it yet, so the main loop sends it (rule 43).
  if (!called) return view;
  let outcome = mustEnd(view) ? await rail.endAttempt(paymentId) : await rail.lookUpAttempt(paymentId);
  // In `reconciliation_required` the page no longer shows the challenge: only its end at the rail frees the session.
  const lostChallenge = outcome.kind === 'challenge' && view.state === 'reconciliation_required';
  if (lostChallenge) outcome = await rail.endAttempt(paymentId);
  countLookup(run, cause);
  return recordOutcome(run, view, { paymentId, outcome });
}

/** @param answer is recorded for this payment only, whichever is open */
export async function recordOutcome(
  run: SessionRun,
  view: SessionView,
  { paymentId, outcome }: { readonly paymentId: string; readonly outcome: AttemptOutcome },
  resolution?: Resolution,
): Promise<SessionView> {
  const { checkoutId, timings, lookups, scheduledLookups } = run;
  // An operator's decision is not an answer from the rail.
  if (!resolution) run.lastAnswer = { answer: outcome, at: new Date() };
  const settled = await database.recordOutcome({
    checkoutId,
    paymentId,
    outcome,
    patienceOver: patienceOver(view, lookups, timings),
    nextLookupSeconds: lookupDelaySeconds(
      scheduledLookups,
      timings.reconcileSeconds,
      timings.reconcileLongSeconds,
    ),
    resolution,
  });
  // While the buyer may still pass a challenge, the count of look-ups starts over each time.
  const inChallenge = settled.state === 'requires_action' && !mustEnd(settled);
  if (!settled.openPayment || inChallenge) Object.assign(run, noLookups());
  return settled;
}
