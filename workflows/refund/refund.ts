import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { noLookups } from '../../domain/core/lookup-schedule.ts';
import type { RefundView } from '../../domain/refund/refund.ts';
import { type Entry, Inbox } from '../core/inbox.ts';
import { mustSendAnswers, shouldContinueAsNew, untilAnswersSent } from '../core/long-history.ts';
import { searchAttributes } from '../core/messages.ts';
import { database } from '../core/proxies.ts';
import { refuseResolve } from '../core/resolve.ts';
import { failingWhenGone } from '../core/row-gone.ts';
import { describeRefund, statusOfRefund } from './refund-details.ts';
import { type RefundCommand, registerRefundHandlers } from './refund-handlers.ts';
import { lookUp, ofRefund, type RefundRun, send } from './refund-lookup.ts';
import * as messages from './refund-messages.ts';
import { resolveRefund } from './resolve-refund.ts';

/**
 * Promise: one refund at the rail, with a known outcome. Its amount is already reserved; the loop sends it once and
 * looks it up until the outcome is known.
 */
export async function refund(given: messages.RefundInput): Promise<messages.RefundStateAnswer> {
  const input = messages.refundInput(given, 'refund');
  const inbox = new Inbox<RefundCommand>();
  // Cancelling the run does not cancel an accepted refund.
  CancellationScope.current().cancelRequested.catch(() => inbox.put({ kind: 'wake' }));
  return CancellationScope.nonCancellable(() => failingWhenGone(inbox, () => runRefund(input, inbox)));
}

/** The main loop: adopts open work, then acts when something is due or requested. */
async function runRefund(
  input: messages.RefundInput,
  inbox: Inbox<RefundCommand>,
): Promise<messages.RefundStateAnswer> {
  const { refundId, timings } = input;
  const run: RefundRun = { refundId, timings, ...noLookups() };
  let shown: RefundView | undefined;
  registerRefundHandlers(inbox, () => (shown ? statusOfRefund(shown, run.lookups) : null));

  let view = await database.loadRefund(refundId);
  while (view.status === 'pending') {
    if (!view.called) {
      view = await send(run);
      continue;
    }
    if (mustSendAnswers(inbox)) await untilAnswersSent(inbox);
    if (shouldContinueAsNew(inbox)) await continueAsNew<typeof refund>(input);
    show(shown, view, run);
    shown = view;
    const entry = await inbox.next(1_000 * ofRefund(run).nextLookupSeconds, 'look up the refund at the rail');
    view = entry ? await execute(run, view, entry) : await lookUp(run);
  }

  show(shown, view, run);
  shown = view;
  while (!allHandlersFinished()) {
    for (const late of inbox.drain()) refuseResolve(late, `the refund is ${view.status}`);
    await condition(allHandlersFinished, '1 s');
  }
  return { status: view.status };
}

async function execute(run: RefundRun, view: RefundView, entry: Entry<RefundCommand>): Promise<RefundView> {
  const { command } = entry;
  if (command.kind === 'wake') return lookUp(run, 'asked');
  if (command.kind === 'resolve') return resolveRefund(run, view, entry, command.request, null);
  const request = await database.loadResolveRequest(command.requestId);
  return request ? resolveRefund(run, view, entry, request, command.requestId) : view;
}

/** Updates the operator's view; search attributes only when they change. */
function show(before: RefundView | undefined, view: RefundView, { lookups, lastAnswer }: RefundRun): void {
  setCurrentDetails(describeRefund(view, lookups, lastAnswer));
  if (before?.status === view.status && before.reconciling === view.reconciling) return;
  upsertSearchAttributes([
    { key: searchAttributes.lifecycleState, value: view.status },
    { key: searchAttributes.needsOperator, value: view.status === 'pending' && view.reconciling },
  ]);
}
