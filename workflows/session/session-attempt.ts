/** The open attempt of a session: sent, looked up, ended, resolved. Each activity records the rail's answer. */
import type { AttemptResult, EndAtRail } from '../../activities/payment/attempt.ts';
import {
  countLookup,
  type LookupCause,
  type LookupCounts,
  type LookupTimings,
  lookupPlan,
  noLookups,
} from '../../domain/core/lookup-schedule.ts';
import type { ResolveCommand, StoredRequest } from '../../domain/core/resolution.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { lookupPlanOf, mustEnd, type SessionView } from '../../domain/session/session-view.ts';
import { type Entry, refuseResolve } from '../core/inbox.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { activities, localActivities } from '../core/proxies.ts';
import { stateOf } from './session-messages.ts';

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

/** A click: claims an attempt, sends it and records the rail's answer, in one activity if the rail answers soon. */
export async function pay(run: SessionRun, click: Entry<unknown>, claimId: string): Promise<SessionView> {
  const { checkoutId, timings } = run;
  const paid = await localActivities.pay({ claimId, ...lookupPlan(checkoutId, timings) });
  click.answer(paid.reply);
  const { attemptId } = paid;
  if (!attemptId) return paid.view;
  if (!paid.outcome) return goOn(run, paid.view, attemptId);
  Object.assign(run, noLookups());
  return afterAttempt(run, paid);
}

/** Sends an attempt that an earlier run has claimed, or waits for the call of a click. */
export async function goOn(run: SessionRun, view: SessionView, attemptId: string): Promise<SessionView> {
  Object.assign(run, noLookups());
  return afterAttempt(
    run,
    await activities.goOnPaying({ attemptId, ...lookupPlanOf(view, run.timings, run) }),
  );
}

/** Looks up the open attempt, and ends it when its time is up. */
export async function lookUpOrEnd(
  run: SessionRun,
  view: SessionView,
  cause: LookupCause = 'schedule',
): Promise<SessionView> {
  // The update of this claim was lost: the rail does not know it yet, so the main loop sends it (rule 43).
  if (!view.openPayment?.called) return view;
  countLookup(run, cause);
  // In `reconciliation_required` the page no longer shows the challenge: only its end at the rail frees the session.
  const lostChallenge = view.state === 'reconciliation_required';
  const end = mustEnd(view) ? 'open' : lostChallenge ? 'challenge' : 'nothing';
  return lookUp(run, view, view.openPayment.paymentId, end);
}

export async function lookUp(
  run: SessionRun,
  view: SessionView,
  attemptId: string,
  end: EndAtRail,
): Promise<SessionView> {
  return afterAttempt(
    run,
    await activities.lookUpAttempt({ attemptId, end, ...lookupPlanOf(view, run.timings, run) }),
  );
}

/** An operator's decision about an attempt in doubt. The rail is asked first, and its answer takes precedence. */
export async function resolve(
  run: SessionRun,
  entry: Entry<unknown>,
  request: ResolveCommand | StoredRequest,
): Promise<SessionView> {
  const seen = await localActivities.loadCheckout(run.checkoutId);
  const isInDoubt = seen.state === 'reconciliation_required';
  const attemptId = (isInDoubt && seen.openPayment?.paymentId) || null;
  const { view, refused } = await activities.resolveSession({
    ...lookupPlanOf(seen, run.timings, run),
    attemptId,
    version: seen.version,
    request,
  });
  if (refused === null) entry.answer(stateOf(view));
  else refuseResolve(entry, refused);
  return countAgain(run, view);
}

function afterAttempt(
  run: SessionRun,
  { view, outcome }: AttemptResult<AttemptOutcome, SessionView>,
): SessionView {
  if (outcome) run.lastAnswer = { answer: outcome, at: new Date() };
  return countAgain(run, view);
}

/** Resets the counts of look-ups while the buyer may still pass a challenge, or if no attempt is open. */
function countAgain(run: SessionRun, view: SessionView): SessionView {
  const inChallenge = view.state === 'requires_action' && !mustEnd(view);
  if (!view.openPayment || inChallenge) Object.assign(run, noLookups());
  return view;
}
