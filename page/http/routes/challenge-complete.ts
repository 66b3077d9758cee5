import { z } from 'zod';
import { completeChallengeUpdate } from '../../../workflows/session/session-messages.ts';
import type { PageContext } from '../context.ts';
import { updateSession } from '../load.ts';
import { pageAction } from '../page-action.ts';

const challengeCompleteBody = z.object({
  /** Created by the page for each return from the bank; a retry sends the same id. */
  requestId: z.uuid(),
});

/**
 * `POST /pay/:pageToken/challenge-complete`: the browser has returned from the bank. The request carries no outcome:
 * the workflow asks the rail.
 */
export function challengeComplete(context: PageContext) {
  return pageAction(context, challengeCompleteBody, async ({ session, view }, { requestId }) => {
    if (view.state !== 'requires_action' || !view.openAttempt) return null;
    const { attemptId } = view.openAttempt;
    const sent = await updateSession(context, session, completeChallengeUpdate, {
      args: [{ attemptId }],
      updateId: requestId,
    });
    return sent.kind === 'unknown' ? 'outcome_unknown' : null;
  });
}
