import {
  CancellationScope,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { AttemptResult, OfAttempt } from '../../activities/payment/attempt.ts';
import {
  countLookup,
  type LookupCause,
  type LookupCounts,
  type LookupTimings,
  lookupPlan,
  noLookups,
} from '../../domain/core/lookup-schedule.ts';
import type { RefundAnswer, RefundView } from '../../domain/refund/refund.ts';
import { type Entry, Inbox, listen, refuseResolve } from '../core/inbox.ts';
import { describeLastAnswer, type LastAnswer } from '../core/last-answer.ts';
import { isHistoryLong, isIdle } from '../core/long-history.ts';
import { searchAttributes } from '../core/messages.ts';
import { activities, localActivities } from '../core/proxies.ts';
import { failingWithoutRow } from '../core/row-not-found.ts';
import { describeLinks } from '../core/subject-links.ts';
import * as messages from './refund-messages.ts';

/** One run of a refund's workflow. The refund itself is in the database. */
interface RefundRun extends LookupCounts {
  readonly refundId: string;
  readonly timings: LookupTimings;
  /** Shown to operators. */
  lastAnswer?: LastAnswer;
}

/**
 * Guarantees: one refund at the rail, with a known outcome. Its amount is already reserved; the loop sends it once and
 * looks it up until the outcome is known.
 */
export async function refund(given: messages.RefundInput): Promise<messages.RefundStateAnswer> {
  const input = messages.refundInput(given, 'refund');
  const inbox = new Inbox<messages.RefundCommand>();
  // Cancelling the run does not cancel an accepted refund.
  CancellationScope.current().cancelRequested.catch(() => inbox.put({ kind: 'wake' }));
  return CancellationScope.nonCancellable(() => failingWithoutRow(inbox, () => runRefund(input, inbox)));
}

/** The main loop: adopts open work, then acts when something is due or requested. */
async function runRefund(
  input: messages.RefundInput,
  inbox: Inbox<messages.RefundCommand>,
): Promise<messages.RefundStateAnswer> {
  const { refundId, timings } = input;
  const run: RefundRun = { refundId, timings, ...noLookups() };
  let shown: RefundView | undefined;
  listen(inbox, messages.MESSAGES);

  let view = await localActivities.loadRefund(refundId);
  while (view.status === 'pending') {
    if (!view.called) {
      view = await send(run);
      continue;
    }
    if (isHistoryLong() && (await isIdle(inbox))) await continueAsNew<typeof refund>(input);
    show(shown, view, run);
    shown = view;
    const entry = await inbox.next(1_000 * ofRefund(run).nextLookupSeconds, 'look up the refund at the rail');
    view = entry ? await execute(run, view, entry) : await lookUp(run);
  }

  show(shown, view, run);
  await inbox.close((late) => refuseResolve(late, `the refund is ${view.status}`));
  return { status: view.status };
}

async function execute(
  run: RefundRun,
  seen: RefundView,
  entry: Entry<messages.RefundCommand>,
): Promise<RefundView> {
  const { command } = entry;
  if (command.kind === 'wake') return lookUp(run, 'asked');
  if (seen.reconciling) countLookup(run, 'asked');
  const attemptId = seen.reconciling ? run.refundId : null;
  const asked = { ...ofRefund(run), attemptId, version: seen.version, request: command };
  const { view, refused } = await activities.resolveRefund(asked);
  if (refused === null) entry.answer({ status: view.status } satisfies messages.RefundStateAnswer);
  else refuseResolve(entry, refused);
  return view;
}

/** A refund has one attempt: itself. */
function ofRefund(run: RefundRun): OfAttempt {
  return { attemptId: run.refundId, ...lookupPlan(run.refundId, run.timings, run) };
}

async function send(run: RefundRun): Promise<RefundView> {
  return afterAttempt(run, await activities.sendRefund(ofRefund(run)));
}

async function lookUp(run: RefundRun, cause: LookupCause = 'schedule'): Promise<RefundView> {
  countLookup(run, cause);
  return afterAttempt(run, await activities.lookUpRefund({ end: 'nothing', ...ofRefund(run) }));
}

function afterAttempt(
  run: RefundRun,
  { view, outcome }: AttemptResult<RefundAnswer, RefundView>,
): RefundView {
  if (outcome) run.lastAnswer = { answer: outcome, at: new Date() };
  return view;
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

function describeRefund(
  { status, paymentId, reconciling, pages }: RefundView,
  lookups: number,
  lastAnswer?: LastAnswer,
): string {
  const why = reconciling
    ? 'The rail has not reported the outcome. Look-ups continue; if you can see the refund at the rail, run the update ' +
      '**resolve**.'
    : 'The rail is asked until the outcome is known.';
  const first = `**${status}**: refund of payment \`${paymentId}\`.${status === 'pending' ? ` ${why}` : ''}`;
  return [
    first,
    ...describeLinks(pages),
    '',
    `- Look-ups: ${lookups}`,
    ...describeLastAnswer(lastAnswer),
  ].join('\n');
}
