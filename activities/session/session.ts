/** Activities of a session: each makes one change, and returns the session as changed. */
import type { AnswerToRecord } from '../../db/payment/rail-calls.ts';
import { claimAttempt } from '../../db/session/claim-attempt.ts';
import { loadSessionView } from '../../db/session/core/session-view.ts';
import { recordOutcome } from '../../db/session/record-outcome.ts';
import { resolveSession } from '../../db/session/resolve-session.ts';
import { expireSession, recordChallengeReturned, requestCancel } from '../../db/session/session-commands.ts';
import type { LookupPlan } from '../../domain/core/lookup-schedule.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { isFinal, type SessionView } from '../../domain/session/session.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withLinks } from '../core/subject-links.ts';
import { attemptsOf } from '../payment/attempt.ts';
import { lookUpAttempt } from '../payment/look-up-attempt.ts';
import { sendOnce, storeIfFinal } from '../payment/rail-attempt.ts';
import { resolvingPayment, type ToResolve } from '../payment/resolve.ts';

export function createSessionActivities(deps: ActivityDeps) {
  const { pool, pages, declines } = deps;

  async function view(checkoutId: string): Promise<SessionView> {
    const loaded = await loadSessionView(pool, checkoutId);
    return loaded.state === 'reconciliation_required' ? withLinks(loaded, checkoutId, pages) : loaded;
  }

  async function record(answer: AnswerToRecord<AttemptOutcome>): Promise<SessionView> {
    return (await recordOutcome(pool, { ...answer, declines })) ?? view(answer.ownerId);
  }

  const attempts = attemptsOf(deps, {
    name: 'click',
    send: sendOnce,
    lookUp: lookUpAttempt,
    record,
    storeUnrecorded: storeIfFinal,
    view,
  });

  return {
    loadCheckout: view,

    pay: attempts.begin(
      async ({ ownerId: checkoutId, claimId }: LookupPlan & { readonly claimId: string }) => {
        const reply = await claimAttempt(pool, { checkoutId, claimId });
        // A repeated click sends nothing once its attempt has progressed; during `processing`, the call finds its mark.
        const mine = reply.kind === 'claimed' && reply.isOpen && reply.state === 'processing';
        return { reply, attemptId: mine ? reply.attemptId : null };
      },
    ),

    continueAttempt: attempts.continueAttempt,
    lookUpAttempt: attempts.lookUp,

    async recordChallengeReturned(input: { readonly checkoutId: string; readonly attemptId: string }) {
      await recordChallengeReturned(pool, input.checkoutId, input.attemptId);
      return view(input.checkoutId);
    },

    async requestCancel(input: { readonly checkoutId: string; readonly what: string }) {
      await requestCancel(pool, input.checkoutId, input.what);
      return view(input.checkoutId);
    },

    async expireCheckout(checkoutId: string) {
      await expireSession(pool, checkoutId);
      return view(checkoutId);
    },

    resolveSession: (asked: ToResolve) =>
      resolvingPayment(deps, asked, {
        subject: 'session',
        record,
        write: ({ ownerId: checkoutId, attemptId: paymentId, ...decision }) =>
          resolveSession(pool, { checkoutId, paymentId, ...decision }),
        isSettled: ({ state }) => isFinal(state),
        view,
        stateOf: ({ state }) => state,
        whyNot: ({ state }) => `the session is ${state}`,
      }),
  };
}
