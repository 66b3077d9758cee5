import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  patched,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AttemptOutcome } from '../../domain/attempt.ts';
import { lookupDelaySeconds, quickLookupsOver } from '../../domain/lookup-schedule.ts';
import { isFinishedSubscription } from '../../domain/subscription.ts';
import {
  nextSubscriptionStep,
  type SubscriptionStep,
  type SubscriptionView,
} from '../../domain/subscription-plan.ts';
import { type Entry, Inbox } from '../core/inbox.ts';
import { type Resolution, searchAttributes } from '../core/messages.ts';
import { database, rail } from '../core/proxies.ts';
import { resolveCharge } from './resolve-charge.ts';
import { describeSubscription } from './subscription-details.ts';
import { registerSubscriptionHandlers, type SubscriptionCommand } from './subscription-handlers.ts';
import type { SubscriptionInput, SubscriptionStateAnswer } from './subscription-messages.ts';

/**
 * The promise: every period is billed once, and scheduled changes happen on time, for as long as the
 * subscription lives.
 *
 * The database holds the state and every rule that decides, by the subscription's own clock; this loop holds the
 * time and is the only one that charges this subscription. Each period is a run of its own, which begins by
 * adopting what the database says is open (rule 12).
 */
export async function subscription(input: SubscriptionInput): Promise<SubscriptionStateAnswer> {
  const inbox = new Inbox<SubscriptionCommand>();
  // "Request Cancellation" in Temporal UI is the merchant's cancel: it must not end a run over a live charge.
  // It can be pressed once in each run, and a run that was asked before may have refused: each has a key of its own.
  const operationKey = `temporal-cancellation-${workflowInfo().runId}`;
  CancellationScope.current().cancelRequested.catch(() =>
    inbox.put({ kind: 'cancel', operationKey, atPeriodEnd: false }),
  );
  return CancellationScope.nonCancellable(() => own(input, inbox));
}

async function own(
  input: SubscriptionInput,
  inbox: Inbox<SubscriptionCommand>,
): Promise<SubscriptionStateAnswer> {
  const { subscriptionId, environment, timings } = input;
  let shown: ReturnType<typeof describeSubscription> | undefined;
  let lookups = 0;
  let periodIsOver = false;
  registerSubscriptionHandlers(inbox, environment, () => shown?.status ?? null);

  let view = await database.loadSubscription(subscriptionId);
  while (!isFinishedSubscription(view.status)) {
    if (view.openPayment && !view.openPayment.called) {
      lookups = 0;
      view = await record(view, await charge(view.openPayment.paymentId));
      continue;
    }
    const step = nextSubscriptionStep(view, lookups, timings);
    show(view, step);
    // A sandbox clock on its way crosses its boundaries in one run: the server puts a second between runs.
    const atRest = periodIsOver && step.inMs > 0 && !view.openPayment;
    if (inbox.isEmpty && allHandlersFinished() && (atRest || isTooLong(view))) {
      await continueAsNew<typeof subscription>(input);
    }
    const waits = step.inMs > 0 || !inbox.isEmpty;
    const entry = waits ? await inbox.next(step.inMs, `${step.action} of ${view.status}`) : undefined;
    view = entry ? await obey(view, entry) : await whenDue(view, step);
  }

  show(view, undefined);
  while (!allHandlersFinished()) {
    // Whoever asked in the last moment hears how it ended, or what became of their operation when a first
    // answer to it was lost with its workflow task: the database decides that too.
    for (const late of inbox.drain()) view = await obey(view, late);
    await condition(allHandlersFinished, '1 s');
  }
  return { status: view.status };

  function whenDue(current: SubscriptionView, { action }: SubscriptionStep): Promise<SubscriptionView> {
    switch (action) {
      case 'boundary':
        periodIsOver = true;
        return database.crossBoundary(subscriptionId);
      case 'charge':
        return database.chargeOldest(subscriptionId);
      case 'giveUp':
        return database.giveUpSubscription(subscriptionId);
      case 'cancel':
        return database.cancelAsRequested(subscriptionId);
      case 'reachTarget':
        return database.reachClockTarget(subscriptionId);
      case 'lookUp':
        return askRail(current);
    }
  }

  async function askRail(current: SubscriptionView): Promise<SubscriptionView> {
    if (!current.openPayment) return current;
    const { paymentId } = current.openPayment;
    lookups += 1;
    return record(current, await withoutBuyer(paymentId, await rail.lookUpAttempt(paymentId)));
  }

  async function charge(paymentId: string): Promise<AttemptOutcome> {
    return withoutBuyer(paymentId, await rail.chargeStored(paymentId));
  }

  async function record(
    current: SubscriptionView,
    outcome: AttemptOutcome,
    resolution?: Resolution,
  ): Promise<SubscriptionView> {
    if (!current.openPayment) return current;
    const { reconcileSeconds, reconcileLongSeconds } = timings;
    const recorded = await database.recordCharge({
      subscriptionId,
      paymentId: current.openPayment.paymentId,
      outcome,
      // A new run has forgotten how often its predecessor asked, but not what the predecessor wrote.
      patienceOver: current.reconciling || quickLookupsOver(lookups, reconcileSeconds),
      nextLookupSeconds: lookupDelaySeconds(lookups, reconcileSeconds, reconcileLongSeconds),
      resolution,
    });
    if (!recorded.openPayment) lookups = 0;
    return recorded;
  }

  async function obey(
    current: SubscriptionView,
    entry: Entry<SubscriptionCommand>,
  ): Promise<SubscriptionView> {
    const { command } = entry;
    switch (command.kind) {
      case 'scheduleChange':
      case 'cancelChange':
      case 'cancel':
      case 'advanceClock': {
        const { answer, view: now } = await database.operateSubscription({
          subscriptionId,
          operation: command,
        });
        entry.answer(answer);
        return now;
      }
      case 'lookAgain': {
        const now = await database.loadSubscription(subscriptionId);
        entry.answer({ status: now.status } satisfies SubscriptionStateAnswer);
        return now;
      }
      case 'railNews':
        return current.openPayment?.paymentId === command.paymentId ? askRail(current) : current;
      case 'resolve':
        return resolveCharge({ subscriptionId, entry, request: command.request, requestId: null, record });
      case 'resolveRequested': {
        const { requestId } = command;
        const request = await database.loadResolveRequest(requestId);
        return request ? resolveCharge({ subscriptionId, entry, request, requestId, record }) : current;
      }
    }
  }

  /** The operator's picture; a new row in Temporal's visibility only when it says something new. */
  function show(current: SubscriptionView, next: SubscriptionStep | undefined): void {
    shown = describeSubscription(input, current, next);
    setCurrentDetails(shown.details);
    const { lifecycleState, needsOperator, nextActionAt } = searchAttributes;
    const known = workflowInfo().typedSearchAttributes;
    const same =
      known.get(lifecycleState) === current.status &&
      known.get(needsOperator) === shown.needsOperator &&
      known.get(nextActionAt)?.getTime() === shown.nextActionAt?.getTime();
    if (same) return;
    upsertSearchAttributes([
      { key: lifecycleState, value: current.status },
      { key: needsOperator, value: shown.needsOperator },
      { key: nextActionAt, value: shown.nextActionAt },
    ]);
  }
}

/**
 * Also while a charge is open: a doubt of days has look-ups without end, and the next run adopts it from the row.
 * Runs that began before this was so stayed until it was settled, and are replayed as they went.
 */
function isTooLong(view: SubscriptionView): boolean {
  if (!workflowInfo().continueAsNewSuggested) return false;
  return !view.openPayment || patched('a-new-run-while-a-charge-is-open');
}

/** Nobody is there to answer a challenge: it is ended, and the bank wants its customer. */
async function withoutBuyer(paymentId: string, outcome: AttemptOutcome): Promise<AttemptOutcome> {
  if (outcome.kind !== 'challenge') return outcome;
  const ended = await rail.endAttempt(paymentId);
  if (ended.kind !== 'cancelled') return ended;
  return { kind: 'declined', code: 'authentication_required', retryable: false };
}
