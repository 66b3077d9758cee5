/**
 * The first call of an attempt as part of the workflow task that claimed it: a rail that answers soon costs neither an
 * activity nor a second task (docs/decisions/0020-the-first-call-within-the-task.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';

/** How long a workflow task waits for the rail. Meanwhile, other messages to the session wait as well. */
const PATIENCE_MS = 1_000;

/** Waiting tasks per process and environment, fewer than there are slots: a slow rail must not hold up other sessions. */
const WAITING_AT_MOST = 4;

const UNDER_WAY = { kind: 'underWay' } as const;

/** `underWay`: the answer comes from the activity `chargeAttempt`. */
export type FirstAnswer = AttemptOutcome | typeof UNDER_WAY;

type Charge = (paymentId: string) => Promise<AttemptOutcome>;

/** @param charge must be safe to run twice: the mark in the row decides whether anything is sent (rule 3) */
export function createChargeActivities({ session }: Pick<ActivityDeps, 'session'>, charge: Charge) {
  const open = new Map<string, Promise<AttemptOutcome>>();
  let waiting = 0;

  /** A retry does not join: it reads the row. */
  function joinOrCharge(paymentId: string): Promise<AttemptOutcome> {
    const found = Context.current().info.attempt === 1 ? open.get(paymentId) : undefined;
    if (found) return found;
    const call = charge(paymentId).finally(() => {
      if (open.get(paymentId) === call) open.delete(paymentId);
    });
    open.set(paymentId, call);
    // The call may reject after nothing awaits it: avoid an unhandled rejection.
    call.catch(() => {});
    return call;
  }

  return {
    /** A local activity: it waits a second at most. The call goes on in this process, and `chargeAttempt` joins it. */
    async chargeWithinTask(paymentId: string): Promise<FirstAnswer> {
      if (waiting >= WAITING_AT_MOST) return UNDER_WAY;
      const answered = new AbortController();
      const patience = sleep(session.withinTaskMs ?? PATIENCE_MS, UNDER_WAY, { signal: answered.signal });
      patience.catch(() => {});
      waiting += 1;
      try {
        return await Promise.race([joinOrCharge(paymentId), patience]);
      } finally {
        waiting -= 1;
        answered.abort();
      }
    },

    /** In another process than the first call's, or after its end, it finds the mark and looks the attempt up. */
    chargeAttempt(paymentId: string): Promise<AttemptOutcome> {
      return whileHeartbeating(() => joinOrCharge(paymentId));
    },
  };
}
