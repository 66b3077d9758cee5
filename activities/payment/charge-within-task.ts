/**
 * The first call of an attempt as part of the workflow task that claimed it: a rail that answers soon costs neither an
 * activity nor a second task (docs/decisions/0020-the-first-call-within-the-task.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { AnswerDetails } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';

/** How long a workflow task waits for the rail. Meanwhile, other messages to the session wait as well. */
const WITHIN_TASK_MS = 1_000;

/**
 * Waiting tasks per process and environment, fewer than there are slots: a slow rail must not hold up other sessions.
 */
const WAITING_AT_MOST = 4;

const UNDER_WAY = { kind: 'underWay' } as const;

/** The answer comes from the regular activity: `chargeAttempt`, or `chargeStored`. */
type UnderWay = typeof UNDER_WAY;

/**
 * The rail's answer with its details, which are not in the payment's row yet and must not enter a history. `details` is
 * null if there are none.
 */
export interface Answered {
  readonly outcome: AttemptOutcome;
  readonly details: AnswerDetails | null;
}

/** The answer, if it came within the task. */
export type FirstAnswer = Answered | UnderWay;

/**
 * @param charge must be safe to run twice: the mark in the row decides whether anything is sent (rule 3)
 * @param store stores the details
 */
export function createChargeActivities(
  { session }: Pick<ActivityDeps, 'session'>,
  charge: (paymentId: string) => Promise<Answered>,
  store: (paymentId: string, answered: Answered) => Promise<AttemptOutcome>,
) {
  const open = new Map<string, Promise<Answered>>();
  let waiting = 0;

  /** A retry does not join: it reads the row. */
  function joinOrCharge(paymentId: string): Promise<Answered> {
    const found = Context.current().info.attempt === 1 ? open.get(paymentId) : undefined;
    return found ?? remember(paymentId, charge(paymentId));
  }

  function remember(paymentId: string, call: Promise<Answered>): Promise<Answered> {
    open.set(paymentId, call);
    const forget = () => {
      if (open.get(paymentId) === call) open.delete(paymentId);
    };
    // The call may reject after nothing awaits it: this avoids an unhandled rejection.
    call.then(forget, forget);
    return call;
  }

  /** The answer may come after its task is lost: its details are stored whether an activity joins the call or not. */
  function storeLater(paymentId: string): void {
    const call = open.get(paymentId);
    if (!call) return;
    const storing = call.then(async (answered) => {
      const outcome = await store(paymentId, answered);
      return { outcome, details: null };
    });
    remember(paymentId, storing);
  }

  /** The answer if it comes within a second. The call goes on in this process, and the regular activity joins it. */
  async function firstAnswer(paymentId: string): Promise<FirstAnswer> {
    if (waiting >= WAITING_AT_MOST) return UNDER_WAY;
    const answered = new AbortController();
    const timeout = sleep(session.withinTaskMs ?? WITHIN_TASK_MS, UNDER_WAY, { signal: answered.signal });
    timeout.catch(() => {});
    waiting += 1;
    try {
      const first = await Promise.race([joinOrCharge(paymentId), timeout]);
      if (isUnderWay(first)) storeLater(paymentId);
      return first;
    } finally {
      waiting -= 1;
      answered.abort();
    }
  }

  return {
    firstAnswer,

    /**
     * Joins the first call in the same process. In another one, or after that call's end, it finds the mark and looks the
     * attempt up.
     */
    chargeAttempt(paymentId: string): Promise<AttemptOutcome> {
      return whileHeartbeating(async () => store(paymentId, await joinOrCharge(paymentId)));
    },
  };
}

export function isUnderWay(first: FirstAnswer): first is UnderWay {
  return 'kind' in first;
}
