/** A session's attempts: each activity claims or continues one, and returns the session afterwards. */
import { claimAttempt } from '../../db/session/claim-attempt.ts';
import { recordOutcome } from '../../db/session/record-outcome.ts';
import { resolveSession } from '../../db/session/resolve-session.ts';
import type { LookupPlan } from '../../domain/core/lookup-schedule.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { isFinal } from '../../domain/session/session.ts';
import type { SessionView } from '../../domain/session/session-view.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { type Answer, attemptsOf } from '../payment/attempt.ts';
import { lookUpAttempt } from '../payment/look-up-attempt.ts';
import { sendOnce, storeIfFinal } from '../payment/rail-attempt.ts';
import { resolvingPayment, type ToResolve } from '../payment/resolve.ts';
import { loadCheckout } from './session-writes.ts';

export function createSessionAttempts(deps: ActivityDeps) {
  const { pool, declines } = deps;

  async function record(
    { attemptId: paymentId, outcome, details }: Answer<AttemptOutcome>,
    { owner: checkoutId, ...plan }: LookupPlan,
    resolution?: Resolution,
  ): Promise<SessionView> {
    const known = { checkoutId, paymentId, outcome, details, resolution, declines };
    const ended = await recordOutcome(pool, { ...known, ...plan });
    return ended ?? loadCheckout(deps, checkoutId);
  }

  const attempts = attemptsOf(deps, {
    name: 'click',
    send: (paymentId) => sendOnce(deps, paymentId),
    lookUp: (paymentId, end) => lookUpAttempt(deps, paymentId, end),
    record,
    storeUnrecorded: (answer) => storeIfFinal(deps, answer),
    view: (checkoutId) => loadCheckout(deps, checkoutId),
  });

  return {
    pay: attempts.begin(async ({ owner: checkoutId, claimId }: LookupPlan & { readonly claimId: string }) => {
      const reply = await claimAttempt(pool, { checkoutId, claimId });
      // A repeated click whose attempt has moved on sends nothing. If it is still processing, the call finds its mark.
      const mine = reply.kind === 'claimed' && reply.isOpen && reply.state === 'processing';
      return { reply, attemptId: mine ? reply.paymentId : null };
    }),

    goOnPaying: attempts.goOn,
    lookUpAttempt: attempts.lookUp,

    resolveSession: (asked: ToResolve) =>
      resolvingPayment(deps, asked, {
        subject: 'session',
        record,
        write: ({ owner: checkoutId, attemptId: paymentId, ...decision }) =>
          resolveSession(pool, { checkoutId, paymentId, ...decision }),
        isSettled: ({ state }) => isFinal(state),
        view: (checkoutId) => loadCheckout(deps, checkoutId),
        stateOf: ({ state }) => state,
        whyNot: ({ state }) => `the session is ${state}`,
      }),
  };
}
