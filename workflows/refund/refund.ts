import {
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { lookupDelaySeconds, quickLookupsOver } from '../../domain/lookup-schedule.ts';
import type { RefundAnswer, RefundView } from '../../domain/refund.ts';
import { assertOneOf, assertText } from '../core/assert-fields.ts';
import { type Entry, Inbox } from '../core/inbox.ts';
import { isTimeForANewRun } from '../core/long-history.ts';
import {
  type Resolution,
  type ResolveCommand,
  resolveRequestedSignal,
  searchAttributes,
  wakeSignal,
} from '../core/messages.ts';
import { database, rail } from '../core/proxies.ts';
import { failingWhenGone } from '../core/row-gone.ts';
import * as messages from './refund-messages.ts';

type Command =
  | { readonly kind: 'lookAgain' }
  | { readonly kind: 'resolve'; readonly request: ResolveCommand }
  | { readonly kind: 'resolveRequested'; readonly requestId: string };

/**
 * Promise: one refund at the rail, with a known outcome. Its amount is already reserved; the loop sends it once and
 * looks it up until the outcome is known.
 */
export async function refund(input: messages.RefundInput): Promise<messages.RefundState> {
  const inbox = new Inbox<Command>();
  // Cancelling the run does not cancel an accepted refund.
  CancellationScope.current().cancelRequested.catch(() => inbox.put({ kind: 'lookAgain' }));
  return CancellationScope.nonCancellable(() => failingWhenGone(inbox, () => own(input, inbox)));
}

async function own(input: messages.RefundInput, inbox: Inbox<Command>): Promise<messages.RefundState> {
  const { refundId, timings } = input;
  const { reconcileSeconds, reconcileLongSeconds } = timings;
  let lookups = 0;
  let seen: RefundView | undefined;
  registerHandlers();

  let view = await database.loadRefund(refundId);
  while (view.status === 'pending') {
    if (!view.called) {
      view = await record(await rail.sendRefund(refundId));
      continue;
    }
    if (isTimeForANewRun(inbox)) await continueAsNew<typeof refund>(input);
    show(view);
    const entry = await inbox.next(1_000 * delay(), 'look up the refund at the rail');
    view = entry ? await obey(view, entry) : await lookUp();
  }

  show(view);
  while (!allHandlersFinished()) {
    for (const late of inbox.drain()) refuse(late, view, `the refund is ${view.status}`);
    await condition(allHandlersFinished, '1 s');
  }
  return { status: view.status };

  function delay(): number {
    return lookupDelaySeconds(lookups, reconcileSeconds, reconcileLongSeconds);
  }

  async function lookUp(resolution?: Resolution): Promise<RefundView> {
    const answer = await rail.lookUpRefund(refundId);
    lookups += 1;
    return record(answer, resolution);
  }

  function record(answer: RefundAnswer, resolution?: Resolution): Promise<RefundView> {
    const patienceOver = quickLookupsOver(lookups, reconcileSeconds);
    return database.recordRefund({ refundId, answer, patienceOver, nextLookupSeconds: delay(), resolution });
  }

  async function obey(current: RefundView, entry: Entry<Command>): Promise<RefundView> {
    const { command } = entry;
    if (command.kind === 'lookAgain') return lookUp();
    if (command.kind === 'resolve') return resolve(current, entry, command.request, null);
    const request = await database.loadResolveRequest(command.requestId);
    return request ? resolve(current, entry, request, command.requestId) : current;
  }

  /** Look-up and write are one turn; the write requires the version read before the look-up (rule 17). */
  async function resolve(
    current: RefundView,
    entry: Entry<Command>,
    request: Resolution,
    requestId: string | null,
  ): Promise<RefundView> {
    if (!current.reconciling) return no(current, 'nothing to resolve: the look-ups are still running');
    const told = await lookUp(request);
    if (told.status !== 'pending' && told.status !== request.outcome)
      return no(told, `the rail reports ${told.status}, which is now recorded`);
    const now =
      told.status === 'pending'
        ? await database.resolveRefund({ refundId, version: current.version, request })
        : told;
    if (now.status === 'pending') return no(now, 'a call may still be running; try again in a minute');
    entry.answer({ status: now.status } satisfies messages.RefundState);
    if (requestId) await database.answerResolveRequest({ requestId, answer: `done: ${now.status}` });
    return now;

    async function no(now: RefundView, why: string): Promise<RefundView> {
      refuse(entry, now, why);
      if (requestId) await database.answerResolveRequest({ requestId, answer: `refused: ${why}` });
      return now;
    }
  }

  function refuse(entry: Entry<Command>, _now: RefundView, why: string): void {
    entry.refuse(ApplicationFailure.nonRetryable(why, 'ResolveRefused'));
  }

  function show(now: RefundView): void {
    const changed = seen?.status !== now.status || seen.reconciling !== now.reconciling;
    seen = now;
    setCurrentDetails(describe(now, lookups));
    if (!changed) return;
    upsertSearchAttributes([
      { key: searchAttributes.lifecycleState, value: now.status },
      { key: searchAttributes.needsOperator, value: now.status === 'pending' && now.reconciling },
    ]);
  }

  /** Call before the first await (rule 11). */
  function registerHandlers(): void {
    setHandler(messages.resolveRefundUpdate, (request) => inbox.ask({ kind: 'resolve', request }), {
      validator: ({ outcome, operator, reason, evidence }) => {
        assertOneOf({ outcome }, ['succeeded', 'failed']);
        assertText({ operator, reason, evidence });
      },
      description:
        'Settles a refund whose outcome the rail does not report: { "outcome": "succeeded" | "failed", ' +
        '"operator", "reason", "evidence" }. The rail is looked up once more, and its answer takes precedence.',
    });
    setHandler(
      resolveRequestedSignal,
      ({ requestId }) => inbox.put({ kind: 'resolveRequested', requestId }),
      { description: 'An operator stored a request to resolve. Sent by `npm run ops -- resolve`.' },
    );
    setHandler(wakeSignal, () => inbox.put({ kind: 'lookAgain' }), {
      description: 'The rail has news, or the refund is overdue: look up now. Sent by the sweep.',
    });
    setHandler(
      messages.refundStatusQuery,
      () =>
        seen
          ? { status: seen.status, paymentId: seen.paymentId, needsOperator: seen.reconciling, lookups }
          : null,
      { description: 'State, payment and number of look-ups; null before the first one.' },
    );
  }
}

function describe({ status, paymentId, reconciling }: RefundView, lookups: number): string {
  const why = reconciling
    ? 'The rail has not reported the outcome. Look-ups continue; if you can see the refund at the rail, run the update ' +
      '**resolve**.'
    : 'The rail is looked up until the outcome is known.';
  return `**${status}**: refund of payment \`${paymentId}\`.${status === 'pending' ? ` ${why}` : ''}\n\n- Look-ups: ${lookups}`;
}
