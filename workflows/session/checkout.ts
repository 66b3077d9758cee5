import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { noLookups } from '../../domain/core/lookup-schedule.ts';
import { isFinal, type PayAnswer } from '../../domain/session/session.ts';
import {
  isUnpaidAndExpired,
  mustEnd,
  type NextAction,
  nextAction,
  type SessionView,
} from '../../domain/session/session-view.ts';
import { type Entry, Inbox, listen, refuseResolve } from '../core/inbox.ts';
import { mustSendAnswers, shouldContinueAsNew, untilAnswersSent } from '../core/long-history.ts';
import { searchAttributes } from '../core/messages.ts';
import { localActivities } from '../core/proxies.ts';
import { failingWithoutRow } from '../core/row-not-found.ts';
import { goOn, lookUp, lookUpOrEnd, pay, resolve, type SessionRun } from './session-attempt.ts';
import { describeSession } from './session-details.ts';
import * as messages from './session-messages.ts';

/**
 * Promise: this session ends in `succeeded` or `failed`, once, whatever breaks. The database holds the state
 * and all rules that decide; this loop keeps the time and is the only caller of the rail for this session.
 * Memory is never evidence that nothing is in flight: each run begins by adopting the open attempt from the
 * database (rule 12).
 */
export async function checkout(given: messages.SessionInput): Promise<messages.SessionStateAnswer> {
  const input = messages.sessionInput(given, 'checkout');
  const inbox = new Inbox<messages.SessionCommand>();
  // "Request Cancellation" in Temporal UI cancels the session, but must not end a run while a charge is open.
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

  // If a click started the run, claim at once without loading the session: the claim reads the row.
  const firstClick = inbox.takeIf((command) => command.kind === 'pay');
  let view = await (firstClick
    ? pay(run, firstClick, firstClick.command.claimId)
    : localActivities.loadCheckout(checkoutId));
  while (!isFinal(view.state)) {
    if (view.openPayment && !view.openPayment.called) {
      view = await goOn(run, view, view.openPayment.paymentId);
      continue;
    }
    if (mustSendAnswers(inbox)) await untilAnswersSent(inbox);
    if (shouldContinueAsNew(inbox)) await continueAsNew<typeof checkout>(input);
    if (!triedToExpire && inbox.isEmpty && isUnpaidAndExpired(view)) {
      // The start delay of an unpaid session has ended: expire it once, in the first task. Disagreeing clocks
      // must not cause a busy loop (rule 19).
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
  while (!allHandlersFinished()) {
    for (const late of inbox.drain()) answerLate(late, view);
    await condition(allHandlersFinished, '1 s');
  }
  return messages.stateOf(view);
}

/**
 * A signal reads the session again, because the view in memory may be stale: Temporal may lack the update of
 * a claim that the database has, and the view's durations count from the moment of the read (rule 43).
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
        paymentId: command.paymentId,
      });
      entry.answer(messages.stateOf(returned));
      return returned.openPayment?.paymentId === command.paymentId ? lookUpOrEnd(run, returned) : returned;
    }
    case 'cancel': {
      const asked = await localActivities.requestCancel({ checkoutId, what: command.what });
      const paymentId = asked.openPayment?.paymentId;
      const ended = paymentId ? await lookUp(run, asked, paymentId, 'open') : asked;
      entry.answer(messages.stateOf(ended));
      return ended;
    }
    case 'railNews': {
      const now = await localActivities.loadCheckout(checkoutId);
      return now.openPayment?.paymentId === command.paymentId ? lookUpOrEnd(run, now, 'news') : now;
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
      // While this run slept, the buyer may have returned from the challenge or been given more time for it.
      const now = await localActivities.loadCheckout(run.checkoutId);
      return now.openPayment && (mustEnd(now) || now.state === 'processing') ? lookUpOrEnd(run, now) : now;
    }
  }
}

/**
 * Updates the details that operators see. Search attributes change only with the state and, while an attempt is in
 * doubt, with each look-up; between those, `NextActionAt` may be stale.
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
