/** Shared by an operator's settling of a session, a charge and a refund (rule 17). */
import { ApplicationFailure } from '@temporalio/workflow';
import type { Resolution } from '../../domain/core/resolution.ts';
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import type { Entry } from './inbox.ts';
import { database, rail } from './proxies.ts';

/** Fails the operator's update; the workflow continues. */
export function refuseResolve(entry: Entry<unknown>, why: string): void {
  entry.refuse(ApplicationFailure.nonRetryable(why, 'ResolveRefused'));
}

/**
 * How a request to resolve is answered: `done` or `refuse`.
 * @param requestId the stored request's id, if there is one: it gets the answer too
 */
export function resolveAnswers<View>(entry: Entry<unknown>, requestId: string | null) {
  return {
    async done(view: View, state: string, answer: object): Promise<View> {
      entry.answer(answer);
      if (requestId) await database.answerResolveRequest({ requestId, answer: `done: ${state}` });
      return view;
    },
    async refuse(view: View, why: string): Promise<View> {
      refuseResolve(entry, why);
      if (requestId) await database.answerResolveRequest({ requestId, answer: `refused: ${why}` });
      return view;
    },
  };
}

/**
 * Asks the rail before the operator's decision counts. Ends the attempt at the rail for `failed`; for `succeeded`,
 * looks it up and ends a challenge.
 */
export function lookUpOrEndAttempt(paymentId: string, request: Resolution): Promise<AttemptOutcome> {
  return request.outcome === 'failed'
    ? rail.endAttempt(paymentId)
    : rail.lookUpAttempt(paymentId, { endChallenge: true });
}

/**
 * - `known`: the rail has settled the attempt, so that its answer counts and the operator's does not.
 * - `unpaid`: the rail waits for the buyer, so that the operator's `succeeded` does not count; the write refuses it.
 */
export function compareWithRail({ kind }: AttemptOutcome, request: Resolution) {
  return {
    known: kind === 'approved' || kind === 'declined' || kind === 'cancelled',
    agrees: (kind === 'approved') === (request.outcome === 'succeeded'),
    unpaid: kind === 'challenge' && request.outcome === 'succeeded',
  };
}

/** Why an operator's decision about an unknown outcome was not written. */
export function whyNotWritten(changed: 'session' | 'subscription', unpaid: boolean): string {
  return unpaid
    ? 'nothing was written: the rail waits for the buyer to pass a challenge, which it has not ended; try again'
    : `nothing was written: the ${changed} changed meanwhile, or a second person has to confirm this amount (npm run ops -- resolve)`;
}
