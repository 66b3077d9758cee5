/** A session's attempts: each step claims or continues one, and returns the session afterwards. */
import { mustNotResolve } from '../../db/payment/resolve-requests.ts';
import { claimAttempt } from '../../db/session/claim-attempt.ts';
import { recordOutcome } from '../../db/session/record-outcome.ts';
import { resolveSession } from '../../db/session/resolve-session.ts';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { Resolved, StepWait, ToResolve } from '../../domain/payment/attempt-step.ts';
import { isFinal } from '../../domain/session/session.ts';
import type { SessionView } from '../../domain/session/session-steps.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { type Answer, attemptsOf } from '../payment/attempt.ts';
import { lookUpAttempt } from '../payment/look-up-attempt.ts';
import { keepFinal, sendOnce } from '../payment/rail-attempt.ts';
import {
  compareWithRail,
  endBeforeDeciding,
  type InDoubt,
  resolving,
  whyNotWritten,
} from '../payment/resolve.ts';
import { startReconcileNow } from '../payment/start-reconcile.ts';
import { loadCheckout } from './session-writes.ts';

export function createSessionAttempts(deps: ActivityDeps) {
  const { pool, declines } = deps;

  async function record(
    { attemptId: paymentId, outcome, details }: Answer<AttemptOutcome>,
    { owner: checkoutId, ...wait }: StepWait,
    resolution?: Resolution,
  ): Promise<SessionView> {
    const known = { checkoutId, paymentId, outcome, details, resolution, declines };
    const ended = await recordOutcome(pool, { ...known, ...wait });
    return ended ?? loadCheckout(deps, checkoutId);
  }

  const attempts = attemptsOf(deps, {
    name: 'click',
    send: (paymentId) => sendOnce(deps, paymentId),
    lookUp: (paymentId, end) => lookUpAttempt(deps, paymentId, end),
    record,
    keep: (answer) => keepFinal(deps, answer),
    view: (checkoutId) => loadCheckout(deps, checkoutId),
  });

  return {
    pay: attempts.begin(async ({ owner: checkoutId, claimId }: StepWait & { readonly claimId: string }) => {
      const reply = await claimAttempt(pool, { checkoutId, claimId });
      // A repeated click whose attempt has moved on sends nothing. If it is still processing, the call finds its mark.
      const mine = reply.kind === 'claimed' && reply.isOpen && reply.state === 'processing';
      return { reply, attemptId: mine ? reply.paymentId : null };
    }),

    goOnPaying: attempts.goOn,
    lookUpAttempt: attempts.lookUp,

    resolveSession: (asked: ToResolve) =>
      resolving(deps, asked, {
        resolve,
        view: (checkoutId) => loadCheckout(deps, checkoutId),
        stateOf: ({ state }) => state,
        whyNot: ({ state }) => `the session is ${state}`,
      }),
  };

  async function resolve({
    attemptId: paymentId,
    version,
    request,
    ...wait
  }: InDoubt): Promise<Resolved<SessionView>> {
    const { owner: checkoutId } = wait;
    const answer = await attempts.ask(paymentId, endBeforeDeciding(request));
    const { known, agrees, unpaid } = compareWithRail(answer.outcome, request);
    const recorded = known ? await record(answer, wait, request) : null;
    if (recorded && !agrees) {
      const { kind } = answer.outcome;
      const refused = `the rail reports ${kind}, which is now recorded; the session is ${recorded.state}`;
      return { view: recorded, refused };
    }
    if (recorded && isFinal(recorded.state)) return { view: recorded, refused: null };
    // The rail does not know, or it agrees and the session stays payable: the operator's decision ends it.
    const decision = { checkoutId, paymentId, version: recorded?.version ?? version, request, unpaid };
    const isRefused = await mustNotResolve(pool, request, paymentId, deps.secondPersonAbove);
    if (!isRefused && (await resolveSession(pool, decision))) void startReconcileNow(deps, paymentId);
    const view = await loadCheckout(deps, checkoutId);
    return { view, refused: isFinal(view.state) ? null : whyNotWritten('session', unpaid) };
  }
}
