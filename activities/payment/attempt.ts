/**
 * An attempt to move money is one activity, which sends the call and records the rail's answer
 * (docs/decisions/0020-an-attempt-is-one-activity.md). Answers never travel through a workflow, which only gets the
 * attempt's id; `record` stores the answer with its attempt. Clicks, stored charges and refunds differ only in their
 * `AttemptSteps`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Answer, AnswerToRecord } from '../../db/payment/rail-calls.ts';
import type { LookupPlan } from '../../domain/core/lookup-schedule.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { RefundAnswer } from '../../domain/refund/refund.ts';
import type { ActivityDeps } from '../core/deps.ts';

export interface OfAttempt extends LookupPlan {
  readonly attemptId: string;
}

/** What a look-up cancels at the rail: nothing, an open challenge, or any open attempt. */
export type EndAtRail = 'nothing' | 'challenge' | 'open';

/** The result of an attempt's activity. */
export interface AttemptResult<Outcome, View> {
  /** The owner's view after the activity. */
  readonly view: View;
  /** Null if nothing was claimed. */
  readonly attemptId: string | null;
  /** The recorded outcome, for operators; null if `continueAttempt` still has to await or record the answer. */
  readonly outcome: Outcome | null;
}

export interface AttemptSteps<Outcome, View> {
  readonly name: string;
  /** Marks the attempt and calls the rail. Null if it was already marked or sent: look it up instead (rule 3). */
  send(deps: ActivityDeps, attemptId: string): Promise<Answer<Outcome> | null>;
  /** Moves no money; cancels the open attempt at the rail if asked to. A stored answer takes precedence. */
  lookUp(deps: ActivityDeps, attemptId: string, end: EndAtRail): Promise<Answer<Outcome>>;
  /** Records the answer for the attempt and its owner in one transaction. */
  record(answer: AnswerToRecord<Outcome>): Promise<View>;
  /** Stores a final answer that could not be recorded, so that it is recorded later without another look-up. */
  storeUnrecorded?(deps: ActivityDeps, answer: Answer<Outcome>): Promise<void>;
  view(ownerId: string): Promise<View>;
}

/**
 * How long a workflow task waits for the rail. During that time, other messages to its workflow wait as well.
 */
const WITHIN_TASK_MS = 1_000;

/**
 * Maximum number of waiting tasks per process, environment and kind. It is below the number of slots, so that a slow
 * rail does not delay other workflows, and a burst of renewals does not delay buyers.
 */
const WAITING_AT_MOST = 4;

export function attemptsOf<Outcome extends AttemptOutcome | RefundAnswer, View>(
  deps: ActivityDeps,
  steps: AttemptSteps<Outcome, View>,
) {
  type Result = AttemptResult<Outcome, View>;
  const { session, logger } = deps;
  const calls = new Map<string, Promise<Answer<Outcome>>>();
  let waiting = 0;

  /** Joins this process's call for the attempt, or sends it. A retry of the activity never joins, but reads the row. */
  function joinOrSend(attemptId: string): Promise<Answer<Outcome>> {
    const found = Context.current().info.attempt === 1 ? calls.get(attemptId) : undefined;
    if (found) return found;
    const call = steps
      .send(deps, attemptId)
      .then((answer) => answer ?? steps.lookUp(deps, attemptId, 'nothing'));
    calls.set(attemptId, call);
    const forget = () => {
      if (calls.get(attemptId) === call) calls.delete(attemptId);
    };
    // Prevents an unhandled rejection if the call fails when nothing awaits it any longer.
    call.then(forget, forget);
    return call;
  }

  async function record(answer: Answer<Outcome>, plan: LookupPlan): Promise<Result> {
    const { attemptId, outcome } = answer;
    try {
      return { view: await steps.record({ ...plan, ...answer }), attemptId, outcome };
    } catch (error) {
      await steps.storeUnrecorded?.(deps, answer).catch((err: unknown) => {
        logger.warn(
          { err, attemptId, kind: steps.name },
          'rail answer not recorded; the attempt will be looked up',
        );
      });
      throw error;
    }
  }

  return {
    /**
     * Makes the activity that claims an attempt and sends it within the workflow task. Throws only if the claim fails:
     * after later failures, at the rail or in recording, the claim stands, and `continueAttempt` continues.
     */
    begin:
      <Ask extends LookupPlan, Claim extends Pick<Result, 'attemptId'>>(
        claim: (ask: Ask) => Promise<Claim>,
      ) =>
      async (ask: Ask): Promise<Result & Claim> => {
        const claimed = await claim(ask);
        const { attemptId } = claimed;
        if (attemptId !== null && waiting < WAITING_AT_MOST) {
          const ended = new AbortController();
          const timeout = sleep(session.withinTaskMs ?? WITHIN_TASK_MS, null, { signal: ended.signal });
          timeout.catch(() => {});
          waiting += 1;
          try {
            // At the time-out, an unanswered call continues in this process, and `continueAttempt` joins it.
            const answer = await Promise.race([joinOrSend(attemptId), timeout]).finally(() => {
              waiting -= 1;
              ended.abort();
            });
            if (answer) return { ...claimed, ...(await record(answer, ask)) };
          } catch (err) {
            logger.warn(
              { err, attemptId, kind: steps.name },
              'attempt claimed, but not sent or not recorded: continueAttempt takes over',
            );
          }
        }
        const view = await steps.view(ask.ownerId);
        return { ...claimed, view, outcome: null };
      },

    /** Sends a claimed attempt, joins its call, or looks it up if another process has marked it. */
    continueAttempt: async (of: OfAttempt): Promise<Result> => record(await joinOrSend(of.attemptId), of),

    lookUp: async ({ end, ...of }: OfAttempt & { readonly end: EndAtRail }): Promise<Result> =>
      record(await steps.lookUp(deps, of.attemptId, end), of),
  };
}
