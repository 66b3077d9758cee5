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
import { failingWhenGone } from '../core/row-gone.ts';
import { resolveCharge } from './resolve-charge.ts';
import { describeSubscription } from './subscription-details.ts';
import { registerSubscriptionHandlers, type SubscriptionCommand } from './subscription-handlers.ts';
import type { SubscriptionInput, SubscriptionStateAnswer } from './subscription-messages.ts';

/**
 * Promise: every period is billed once and scheduled changes happen on time, for the subscription's whole life.
 * The database holds the state and all rules that decide, by the subscription's clock; this loop keeps the time and is
 * the only one that charges this subscription. Each period is a separate run, which begins by adopting what is open in
 * the database (rule 12).
 */
export async function subscription(input: SubscriptionInput): Promise<SubscriptionStateAnswer> {
  const inbox = new Inbox<SubscriptionCommand>();
  // "Request Cancellation" in Temporal UI is the merchant's cancel: it must not end a run while a charge is open. It
  // works once per run, and an earlier run may have refused it, so each run has its own key.
  const operationKey = `temporal-cancellation-${workflowInfo().runId}`;
  CancellationScope.current().cancelRequested.catch(() =>
    inbox.put({ kind: 'cancel', operationKey, atPeriodEnd: false }),
  );
  return CancellationScope.nonCancellable(() => failingWhenGone(inbox, () => own(input, inbox)));
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
    // A moving sandbox clock crosses its boundaries in one run: the server enforces a second between runs.
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
    // Commands that arrive in the last moment get the final state, or the stored answer when the first one was lost
    // with its workflow task: the database decides that too.
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
      // A new run does not know its predecessor's number of look-ups, only what it wrote.
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

  /** Updates the operator's view; search attributes only when they change. */
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
 * Also while a charge is open: a long doubt has look-ups without end, and the next run adopts it from the row. Earlier
 * runs, which stayed until the charge was settled, replay unchanged.
 */
function isTooLong(view: SubscriptionView): boolean {
  if (!workflowInfo().continueAsNewSuggested) return false;
  return !view.openPayment || patched('a-new-run-while-a-charge-is-open');
}

/** An off-session charge cannot answer a challenge: ends it as "authentication required". */
async function withoutBuyer(paymentId: string, outcome: AttemptOutcome): Promise<AttemptOutcome> {
  if (outcome.kind !== 'challenge') return outcome;
  const ended = await rail.endAttempt(paymentId);
  if (ended.kind !== 'cancelled') return ended;
  return { kind: 'declined', code: 'authentication_required', retryable: false };
}
