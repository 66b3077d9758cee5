import {
  ApplicationFailure,
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
import { lookupDelaySeconds } from '../../domain/lookup-schedule.ts';
import { isFinal } from '../../domain/session.ts';
import {
  mustEnd,
  type NextStep,
  nextStep,
  patienceOver,
  type SessionView,
} from '../../domain/session-plan.ts';
import { type Entry, Inbox } from '../core/inbox.ts';
import { isTimeForANewRun } from '../core/long-history.ts';
import * as core from '../core/messages.ts';
import { database, rail } from '../core/proxies.ts';
import { failingWhenGone } from '../core/row-gone.ts';
import { describeSession } from './session-details.ts';
import { answerLate, type Command, registerHandlers } from './session-handlers.ts';
import type * as messages from './session-messages.ts';

/**
 * A restored Temporal may have lost the update of a claim that the database has, and the durations in a view count from
 * when it was read (rule 43).
 */
const MEMORY_IS_STALE = 'does-a-signal-read-the-session-again-because-memory-is-stale';

/**
 * Promise: this session ends in `succeeded` or `failed`, once, whatever breaks.
 * The database holds the state and all rules that decide; this loop keeps the time and is the only caller of the rail
 * for this session. Memory is never evidence that nothing is in flight: each run begins by adopting the open attempt
 * from the database (rule 12).
 */
export async function checkout(input: messages.SessionInput): Promise<messages.StateAnswer> {
  const inbox = new Inbox<Command>();
  // "Request Cancellation" in Temporal UI cancels the session: it must not end a run while a charge is open.
  CancellationScope.current().cancelRequested.catch(() => inbox.put({ kind: 'cancel', what: 'session' }));
  return CancellationScope.nonCancellable(() => failingWhenGone(inbox, () => own(input, inbox)));
}

async function own(input: messages.SessionInput, inbox: Inbox<Command>): Promise<messages.StateAnswer> {
  const { checkoutId, timings } = input;
  let shown: ReturnType<typeof describeSession> | undefined;
  let lookups = 0;
  registerHandlers(inbox, () => shown?.status ?? null);

  let view = await database.loadCheckout(checkoutId);
  while (!isFinal(view.state)) {
    if (view.openPayment && !view.openPayment.called) {
      lookups = 0;
      view = await record(view, await rail.chargeAttempt(view.openPayment.paymentId));
      continue;
    }
    if (isTimeForANewRun(inbox)) await continueAsNew<typeof checkout>(input);

    const step = nextStep(view, lookups, timings);
    show(view, step);
    const entry = await inbox.next(step.inMs, `${step.action} of ${view.state}`);
    view = entry ? await obey(view, entry) : await whenTimeIsUp(view, step.action);
  }

  show(view, undefined);
  const answer: messages.StateAnswer = { state: view.state, failureReason: view.failureReason };
  while (!allHandlersFinished()) {
    for (const late of inbox.drain()) answerLate(late, view);
    await condition(allHandlersFinished, '1 s');
  }
  return answer;

  async function whenTimeIsUp(current: SessionView, action: NextStep['action']): Promise<SessionView> {
    if (action === 'expire') return database.expireCheckout(checkoutId);
    if (action === 'lookUp') return askRail(current);
    const now = await database.loadCheckout(checkoutId);
    return now.openPayment && (mustEnd(now) || now.state === 'processing') ? askRail(now) : now;
  }

  /** Looks up the open attempt, and ends it when its time is over. */
  async function askRail(current: SessionView): Promise<SessionView> {
    if (!current.openPayment) return current;
    const { paymentId, called } = current.openPayment;
    // A claim whose update was lost: the rail does not know it yet, so the main loop sends it (rule 43).
    if (!called && patched('is-a-claim-without-a-call-sent-instead-of-looked-up')) return current;
    let outcome = mustEnd(current) ? await rail.endAttempt(paymentId) : await rail.lookUpAttempt(paymentId);
    // After reconciliation the buyer does not return to the challenge: only its end at the rail frees the session.
    const lostChallenge = outcome.kind === 'challenge' && current.state === 'reconciliation_required';
    if (lostChallenge) outcome = await rail.endAttempt(paymentId);
    lookups += 1;
    return record(current, outcome);
  }

  async function record(
    current: SessionView,
    outcome: AttemptOutcome,
    resolution?: core.Resolution,
  ): Promise<SessionView> {
    if (!current.openPayment) return current;
    const settled = await database.recordOutcome({
      checkoutId,
      paymentId: current.openPayment.paymentId,
      outcome,
      patienceOver: patienceOver(current, lookups, timings),
      nextLookupSeconds: lookupDelaySeconds(lookups, timings.reconcileSeconds, timings.reconcileLongSeconds),
      resolution,
    });
    // A challenge that the buyer may still pass restarts the count, however early it was reported.
    const inChallenge = settled.state === 'requires_action' && !mustEnd(settled);
    if (!settled.openPayment || inChallenge) lookups = 0;
    return settled;
  }

  async function obey(current: SessionView, entry: Entry<Command>): Promise<SessionView> {
    const { command } = entry;
    switch (command.kind) {
      case 'pay': {
        const { answer, view: claimed } = await database.claimAttempt({
          checkoutId,
          claimId: command.claimId,
        });
        entry.answer(answer);
        return claimed;
      }
      case 'completeChallenge': {
        const returned = await database.recordChallengeReturned({ checkoutId, paymentId: command.paymentId });
        entry.answer(stateOf(returned));
        return returned.openPayment?.paymentId === command.paymentId ? askRail(returned) : returned;
      }
      case 'cancel': {
        const asked = await database.requestCancel({ checkoutId, what: command.what });
        const ended = asked.openPayment
          ? await record(asked, await rail.endAttempt(asked.openPayment.paymentId))
          : asked;
        entry.answer(stateOf(ended));
        return ended;
      }
      case 'railNews': {
        const now = await readAgain(current);
        return now.openPayment?.paymentId === command.paymentId ? askRail(now) : now;
      }
      case 'wake':
        return askRail(await database.loadCheckout(checkoutId));
      case 'resolve':
        return resolve(entry, command.request, null);
      case 'resolveRequested': {
        const request = await database.loadResolveRequest(command.requestId);
        return request ? resolve(entry, request, command.requestId) : readAgain(current);
      }
    }
  }

  async function readAgain(current: SessionView): Promise<SessionView> {
    return patched(MEMORY_IS_STALE) ? database.loadCheckout(checkoutId) : current;
  }

  /** Look-up and write are one turn; the write requires the version read before the look-up (rule 17). */
  async function resolve(
    entry: Entry<Command>,
    request: core.Resolution,
    requestId: string | null,
  ): Promise<SessionView> {
    const seen = await database.loadCheckout(checkoutId);
    const paymentId = seen.openPayment?.paymentId;
    if (seen.state !== 'reconciliation_required' || !paymentId) {
      return refuse(seen, `nothing to resolve: the session is ${seen.state}`);
    }
    const outcome =
      request.outcome === 'failed' ? await rail.endAttempt(paymentId) : await rail.lookUpAttempt(paymentId);
    const railKnows =
      outcome.kind === 'approved' || outcome.kind === 'declined' || outcome.kind === 'cancelled';
    const told = railKnows ? await record(seen, outcome, request) : seen;
    if (railKnows && (outcome.kind === 'approved') !== (request.outcome === 'succeeded')) {
      return refuse(
        told,
        `the rail reports ${outcome.kind}, which is now recorded; the session is ${told.state}`,
      );
    }
    if (isFinal(told.state)) return done(told);
    const resolved = await database.resolveCheckout({
      checkoutId,
      paymentId,
      version: told.version,
      request,
    });
    if (!isFinal(resolved.state)) return refuse(resolved, 'the session changed meanwhile; read it again');
    return done(resolved);

    async function done(now: SessionView): Promise<SessionView> {
      entry.answer(stateOf(now));
      if (requestId) await database.answerResolveRequest({ requestId, answer: `done: ${now.state}` });
      return now;
    }
    async function refuse(now: SessionView, why: string): Promise<SessionView> {
      entry.refuse(ApplicationFailure.nonRetryable(why, 'ResolveRefused'));
      if (requestId) await database.answerResolveRequest({ requestId, answer: `refused: ${why}` });
      return now;
    }
  }

  /** Updates the operator's view; search attributes only when they change. */
  function show(current: SessionView, next: NextStep | undefined): void {
    shown = describeSession(current, next, Date.now());
    setCurrentDetails(shown.details);
    const { lifecycleState, needsOperator, nextActionAt } = core.searchAttributes;
    const known = workflowInfo().typedSearchAttributes.get(lifecycleState) === current.state;
    if (known && current.state !== 'reconciliation_required') return;
    upsertSearchAttributes([
      { key: lifecycleState, value: current.state },
      { key: needsOperator, value: shown.needsOperator },
      { key: nextActionAt, value: shown.nextActionAt },
    ]);
  }
}

function stateOf({ state, failureReason }: SessionView): messages.StateAnswer {
  return { state, failureReason };
}
