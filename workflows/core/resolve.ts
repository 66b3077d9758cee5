/** Shared by an operator's settling of a session, a charge and a refund (rule 17). */
import { ApplicationFailure } from '@temporalio/workflow';
import type { Entry } from './inbox.ts';
import { database } from './proxies.ts';

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
