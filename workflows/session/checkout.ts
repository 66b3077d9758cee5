import {
  CancellationScope,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
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
import {
  isFinal,
  isUnpaidAndExpired,
  lookupPlanOf,
  mustEnd,
  type NextAction,
  nextAction,
  type PayAnswer,
  type SessionView,
} from '../../domain/session/session.ts';
import { type Entry, Inbox, listen, refuseResolve } from '../core/inbox.ts';
import type { LastAnswer } from '../core/last-answer.ts';
import { isHistoryLong, isIdle } from '../core/long-history.ts';
import { searchAttributes } from '../core/messages.ts';
import { activities, localActivities } from '../core/proxies.ts';
import { failingWithoutRow } from '../core/row-not-found.ts';
import { describeSession } from './session-details.ts';
import * as messages from './session-messages.ts';

/**
 * Guarantees: this session ends in `succeeded` or `failed`, once, whatever breaks. The database holds the state and all
 * rules that decide; this loop waits until something is due, and is the only caller of the rail for this session.
 * Memory is never evidence that nothing is in flight: each run begins by adopting the open attempt from the database
 * (rule 12).
 */
export async function checkout(given: messages.SessionInput): Promise<messages.SessionStateAnswer> {
  const input = messages.sessionInput(given, 'checkout');
  const inbox = new Inbox<messages.SessionCommand>();
  // "Request Cancellation" in Temporal UI cancels the session, but must not end the run while a charge is open.
  CancellationScope.current().cancelRequested.catch(() => inbox.put({ kind: 'cancel', what: 'session' }));
  return CancellationScope.nonCancellable(() => failingWithoutRow(inbox, () => runSession(input, inbox)));
}

/** The main loop: adopts open work, then acts when something is due or requested. */
async function runSession(
  input: messages.SessionInput,
  inbox: Inbox<messages.SessionCommand>,
): Promise<messages.SessionStateAnswer> {
  const { checkoutId, timings } = input;
  const run: SessionRun = { checkoutId, timings, ...noLookups() };
  let triedToExpire = false;
  listen(inbox, messages.MESSAGES);

  // If a click started the run, claim immediately, without loading the session: claiming reads the row anyway.
  const firstClick = inbox.takeIf((command) => command.kind === 'pay');
  let view = await (firstClick
    ? pay(run, firstClick, firstClick.command.claimId)
    : localActivities.loadCheckout(checkoutId));
  while (!isFinal(view.state)) {
    if (view.openAttempt && !view.openAttempt.called) {
      view = await continueAttempt(run, view, view.openAttempt.attemptId);
      continue;
    }
    if (isHistoryLong() && (await isIdle(inbox))) await continueAsNew<typeof checkout>(input);
    if (!triedToExpire && inbox.isEmpty && isUnpaidAndExpired(view)) {
      // The start delay of an unpaid session has ended: expire the session in the first task, but only once, because
      // disagreeing clocks must not cause a busy loop (rule 19).
      triedToExpire = true;
      view = await localActivities.expireCheckout(checkoutId);
      continue;
    }

    const next = nextAction(view, run.scheduledLookups, timings);
    show(view, next, run.lastAnswer);
    const entry = await inbox.next(next.inMs, `${next.action} of ${view.state}`);
    view = entry ? await execute(run, entry) : await whenDue(run, view, next.action);
  }

  show(view, undefined, run.lastAnswer);
  await inbox.close((late) => answerLate(late, view));
  return messages.stateOf(view);
}

/**
 * A signal reads the session again, because the view in memory may be stale: Temporal may have lost the update of a
 * claim that is in the database, and the view's durations count from the moment it was read (rule 43).
 * @returns the session afterwards
 */
async function execute(run: SessionRun, entry: Entry<messages.SessionCommand>): Promise<SessionView> {
  const { checkoutId } = run;
  const { command } = entry;
  switch (command.kind) {
    case 'pay':
      return pay(run, entry, command.claimId);
    case 'completeChallenge': {
      const returned = await localActivities.recordChallengeReturned({
        checkoutId,
        attemptId: command.attemptId,
      });
      entry.answer(messages.stateOf(returned));
      return returned.openAttempt?.attemptId === command.attemptId ? lookUpOrEnd(run, returned) : returned;
    }
    case 'cancel': {
      const asked = await localActivities.requestCancel({ checkoutId, what: command.what });
      const attemptId = asked.openAttempt?.attemptId;
      const isMeant = attemptId && ['session', attemptId].includes(command.what);
      const ended = isMeant ? await lookUp(run, asked, attemptId, 'open') : asked;
      entry.answer(messages.stateOf(ended));
      return ended;
    }
    case 'railWebhook': {
      const now = await localActivities.loadCheckout(checkoutId);
      return now.openAttempt?.attemptId === command.attemptId ? lookUpOrEnd(run, now, 'webhook') : now;
    }
    case 'wake':
      return lookUpOrEnd(run, await localActivities.loadCheckout(checkoutId), 'asked');
    case 'resolve':
    case 'resolveRequested':
      return resolve(run, entry, command);
  }
}

async function whenDue(
  run: SessionRun,
  view: SessionView,
  action: NextAction['action'],
): Promise<SessionView> {
  switch (action) {
    case 'expire':
      return localActivities.expireCheckout(run.checkoutId);
    case 'lookUp':
      return lookUpOrEnd(run, view);
    case 'endAttempt': {
      // While this run waited, the buyer may have returned from the challenge or been given more time for it.
      const now = await localActivities.loadCheckout(run.checkoutId);
      return now.openAttempt && (mustEnd(now) || now.state === 'processing') ? lookUpOrEnd(run, now) : now;
    }
  }
}

/**
 * Updates the details for operators. Search attributes change only with the state and, while an attempt is in doubt,
 * with each look-up; between these changes, `NextActionAt` may be stale.
 */
function show(view: SessionView, next: NextAction | undefined, lastAnswer: SessionRun['lastAnswer']): void {
  const shown = describeSession(view, next, Date.now(), lastAnswer);
  setCurrentDetails(shown.details);
  const { lifecycleState, needsOperator, nextActionAt } = searchAttributes;
  const isShown = workflowInfo().typedSearchAttributes.get(lifecycleState) === view.state;
  if (isShown && view.state !== 'reconciliation_required') return;
  upsertSearchAttributes([
    { key: lifecycleState, value: view.state },
    { key: needsOperator, value: shown.needsOperator },
    { key: nextActionAt, value: shown.nextActionAt },
  ]);
}

/** Commands that arrive as the session ends get its final state; a `resolve` is refused. */
function answerLate(entry: Entry<messages.SessionCommand>, view: SessionView): void {
  if (entry.command.kind === 'pay') {
    entry.answer({ kind: 'refused', reason: 'finished' } satisfies PayAnswer);
  } else if (entry.command.kind === 'resolve') {
    refuseResolve(entry, `nothing to resolve: the session is ${view.state}`);
  } else {
    entry.answer(messages.stateOf(view));
  }
}

/**
 * State of one run of a session's workflow; the session itself is in the database. The counts cover the open attempt's
 * look-ups since its call, or since its challenge.
 */
interface SessionRun extends LookupCounts {
  readonly checkoutId: string;
  readonly timings: LookupTimings;
  /** Shown to operators in Temporal UI. */
  lastAnswer?: LastAnswer;
}

/** Handles a click: claims an attempt, sends it and records the answer, in one activity if the rail answers in time. */
async function pay(run: SessionRun, click: Entry<unknown>, claimId: string): Promise<SessionView> {
  const { checkoutId, timings } = run;
  const paid = await localActivities.pay({ claimId, ...lookupPlan(checkoutId, timings) });
  click.answer(paid.reply);
  const { attemptId } = paid;
  if (!attemptId) return paid.view;
  if (!paid.outcome) return continueAttempt(run, paid.view, attemptId);
  Object.assign(run, noLookups());
  return afterAttempt(run, paid);
}

/** Sends an attempt that an earlier run has claimed, or waits for the call that a click has started. */
async function continueAttempt(run: SessionRun, view: SessionView, attemptId: string): Promise<SessionView> {
  Object.assign(run, noLookups());
  return afterAttempt(
    run,
    await activities.continueAttempt({ attemptId, ...lookupPlanOf(view, run.timings, run) }),
  );
}

/** Looks up the open attempt, and ends it when its time is up. */
async function lookUpOrEnd(
  run: SessionRun,
  view: SessionView,
  cause: LookupCause = 'schedule',
): Promise<SessionView> {
  // The claim's update was lost, so the rail does not know the attempt yet: the main loop sends it (rule 43).
  if (!view.openAttempt?.called) return view;
  countLookup(run, cause);
  // In `reconciliation_required` the page no longer shows the challenge: only its cancellation frees the session.
  const lostChallenge = view.state === 'reconciliation_required';
  const end = mustEnd(view) ? 'open' : lostChallenge ? 'challenge' : 'nothing';
  return lookUp(run, view, view.openAttempt.attemptId, end);
}

async function lookUp(
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

/** Handles an operator's decision about an attempt in doubt. The rail is asked first, and its answer counts. */
async function resolve(
  run: SessionRun,
  entry: Entry<unknown>,
  request: ResolveCommand | StoredRequest,
): Promise<SessionView> {
  const seen = await localActivities.loadCheckout(run.checkoutId);
  const isInDoubt = seen.state === 'reconciliation_required';
  const attemptId = (isInDoubt && seen.openAttempt?.attemptId) || null;
  const { view, refused } = await activities.resolveSession({
    ...lookupPlanOf(seen, run.timings, run),
    attemptId,
    version: seen.version,
    request,
  });
  if (refused === null) entry.answer(messages.stateOf(view));
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

/** Resets the look-up counts while the buyer may still pass a challenge, or if no attempt is open. */
function countAgain(run: SessionRun, view: SessionView): SessionView {
  const inChallenge = view.state === 'requires_action' && !mustEnd(view);
  if (!view.openAttempt || inChallenge) Object.assign(run, noLookups());
  return view;
}
