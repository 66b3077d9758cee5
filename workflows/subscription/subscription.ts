import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { noLookups } from '../../domain/core/lookup-schedule.ts';
import { isFinishedSubscription } from '../../domain/subscription/subscription.ts';
import {
  type NextAction,
  nextAction,
  type SubscriptionView,
} from '../../domain/subscription/subscription-view.ts';
import { type Entry, Inbox, listen, refuseResolve } from '../core/inbox.ts';
import { isHistoryLong, isIdle } from '../core/long-history.ts';
import { searchAttributes } from '../core/messages.ts';
import { activities, localActivities } from '../core/proxies.ts';
import { failingWithoutRow } from '../core/row-not-found.ts';
import {
  bill,
  continueCharge,
  lookUpCharge,
  lookupPlanOf,
  type SubscriptionRun,
} from './subscription-charge.ts';
import { describeSubscription } from './subscription-details.ts';
import {
  MESSAGES,
  type SubscriptionCommand,
  type SubscriptionInput,
  type SubscriptionStateAnswer,
  subscriptionInput,
} from './subscription-messages.ts';

/** About three months, so that a monthly plan renews three or four times per run. */
const RUN_LASTS_MS = 100 * 86_400_000;
/** Limits how many events a worker without this run in its cache has to replay. */
const RUN_LASTS_EVENTS = 100;

/**
 * Guarantees: every period is billed once and scheduled changes happen on time, for the subscription's whole life. The
 * database holds the state and all rules that decide, by the subscription's clock; this loop waits until something is
 * due, and is the only caller that charges its stored method. A run lasts several periods; the next run begins by
 * adopting open work from the database (rule 12).
 */
export async function subscription(given: SubscriptionInput): Promise<SubscriptionStateAnswer> {
  const input = subscriptionInput(given, 'subscription');
  const inbox = new Inbox<SubscriptionCommand>();
  // "Request Cancellation" in Temporal UI is the merchant's cancel, but must not end the run while a charge is open. It
  // works once per run; each run has its own key, because an earlier run may have refused the cancel.
  const operationKey = `temporal-cancellation-${workflowInfo().runId}`;
  const scope = CancellationScope.current();
  scope.cancelRequested.catch(() => inbox.put({ kind: 'cancel', atPeriodEnd: false }, operationKey));
  return CancellationScope.nonCancellable(() =>
    failingWithoutRow(inbox, () => runSubscription(input, inbox, scope)),
  );
}

/** The main loop: adopts open work, then acts when something is due or requested. */
async function runSubscription(
  input: SubscriptionInput,
  inbox: Inbox<SubscriptionCommand>,
  scope: CancellationScope,
): Promise<SubscriptionStateAnswer> {
  const { subscriptionId, merchantId, environment, timings } = input;
  const run: SubscriptionRun = { subscriptionId, merchantId, timings, ...noLookups() };
  let periodIsOver = false;
  listen(inbox, MESSAGES, (name) => {
    if (name === 'advanceClock' && environment !== 'sandbox')
      throw ApplicationFailure.nonRetryable(
        'only a sandbox subscription has its own clock',
        'InvalidRequest',
      );
  });

  let view = await localActivities.loadSubscription(subscriptionId);
  while (!isFinishedSubscription(view.status)) {
    if (view.openAttempt && !view.openAttempt.called) {
      Object.assign(run, noLookups());
      view = await continueCharge(run, view, view.openAttempt.attemptId);
      continue;
    }
    const isOver = isHistoryLong() && (await isIdle(inbox));
    const next = nextAction(view, run.scheduledLookups, timings);
    show(input, view, next, run.lastAnswer);
    // A moving sandbox clock crosses all period ends in one run, because the server enforces a second between runs.
    const atRest = periodIsOver && next?.inMs !== 0 && !view.openAttempt;
    const isQuiet = inbox.isEmpty && allHandlersFinished();
    if (isOver || (isQuiet && atRest && hasLasted(scope))) {
      await continueAsNew<typeof subscription>(input);
    }
    const waits = next?.inMs !== 0 || !inbox.isEmpty;
    const entry = waits
      ? await inbox.next(next?.inMs, `${next?.action ?? 'operation'} of ${view.status}`)
      : undefined;
    if (entry) view = await execute(run, view, entry);
    else if (next) {
      if (next.action === 'boundary') periodIsOver = true;
      view = await whenDue(run, view, next);
    }
  }

  show(input, view, undefined, run.lastAnswer);
  // Commands that arrive as the subscription ends get the final state, or, if the workflow task that executed them was
  // lost, the answer stored in the database.
  await inbox.close(async (late) => {
    view = await execute(run, view, late);
  });
  return { status: view.status };
}

/** @returns the subscription afterwards */
async function execute(
  run: SubscriptionRun,
  view: SubscriptionView,
  entry: Entry<SubscriptionCommand>,
): Promise<SubscriptionView> {
  const { subscriptionId } = run;
  const { command } = entry;
  switch (command.kind) {
    case 'methodUpdated': {
      const now = await localActivities.loadSubscription(subscriptionId);
      entry.answer({ status: now.status } satisfies SubscriptionStateAnswer);
      return now;
    }
    case 'wake': {
      // Each message restarts the wait for the next look-up: if a signal did not look up, one per minute would postpone
      // the look-up forever (rule 18).
      const woken = await localActivities.loadSubscription(subscriptionId);
      return woken.openAttempt?.called ? lookUpCharge(run, woken, 'asked') : woken;
    }
    case 'railWebhook':
      return view.openAttempt?.attemptId === command.attemptId ? lookUpCharge(run, view, 'webhook') : view;
    case 'resolve':
    case 'resolveRequested': {
      const seen = await localActivities.loadSubscription(subscriptionId);
      const attemptId = (seen.reconciling && seen.openAttempt?.attemptId) || null;
      const asked = { ...lookupPlanOf(run, seen), attemptId, version: seen.version, request: command };
      const resolved = await activities.resolveSubscription(asked);
      if (!resolved.view.openAttempt) Object.assign(run, noLookups());
      if (resolved.refused !== null) refuseResolve(entry, resolved.refused);
      else entry.answer({ status: resolved.view.status } satisfies SubscriptionStateAnswer);
      return resolved.view;
    }
    default: {
      const operation = { ...command, operationKey: entry.id };
      const operated = await localActivities.operateSubscription({ subscriptionId, operation });
      entry.answer(operated.answer);
      return operated.view;
    }
  }
}

function whenDue(
  run: SubscriptionRun,
  view: SubscriptionView,
  { action }: NextAction,
): Promise<SubscriptionView> {
  const { subscriptionId } = run;
  switch (action) {
    case 'boundary':
    case 'charge':
      return bill(run, view, action);
    case 'giveUp':
      return localActivities.giveUpSubscription(subscriptionId);
    case 'cancel':
      return localActivities.cancelAsRequested(subscriptionId);
    case 'announce':
      return localActivities.announceCharge(subscriptionId);
    case 'reachTarget':
      return localActivities.reachClockTarget(subscriptionId);
    case 'lookUp':
      return lookUpCharge(run, view);
    case 'reload':
      return localActivities.loadSubscription(subscriptionId);
  }
}

/** Updates the details for operators; search attributes are updated only when they change. */
function show(
  input: SubscriptionInput,
  view: SubscriptionView,
  next: NextAction | undefined,
  lastAnswer: SubscriptionRun['lastAnswer'],
): void {
  const shown = describeSubscription(input, view, next, lastAnswer);
  setCurrentDetails(shown.details);
  const { lifecycleState, needsOperator, nextActionAt } = searchAttributes;
  const known = workflowInfo().typedSearchAttributes;
  const same =
    known.get(lifecycleState) === view.status &&
    known.get(needsOperator) === shown.needsOperator &&
    known.get(nextActionAt)?.getTime() === shown.nextActionAt?.getTime();
  if (same) return;
  upsertSearchAttributes([
    { key: lifecycleState, value: view.status },
    { key: needsOperator, value: shown.needsOperator },
    { key: nextActionAt, value: shown.nextActionAt },
  ]);
}

/**
 * An idle run continues as new after about three months or a hundred events. Each new run costs a workflow task and 21
 * rows in Temporal's database (measured), but a longer run would span too many releases.
 */
function hasLasted(scope: CancellationScope): boolean {
  // A cancellation that was refused can only be requested again in another run.
  if (scope.consideredCancelled) return true;
  const { runStartTime, historyLength } = workflowInfo();
  return Date.now() - runStartTime.getTime() >= RUN_LASTS_MS || historyLength >= RUN_LASTS_EVENTS;
}
