import { z } from 'zod';
import { isFinal } from '../../../domain/session/session.ts';
import { cancelUpdate } from '../../../workflows/session/session-messages.ts';
import type { PageContext } from '../context.ts';
import { updateSession } from '../load.ts';
import { pageAction } from '../page-action.ts';

const cancelBody = z.object({
  /** Created by the page for each click; a retry sends the same id. */
  requestId: z.uuid(),
  /** `session`, or the id of the attempt that the buyer sees: a late request must not cancel the next attempt. */
  what: z.string(),
});

/** `POST /pay/:pageToken/cancel`: cancels an open attempt, or ends the session. */
export function cancel(context: PageContext) {
  return pageAction(context, cancelBody, async ({ session, view }, { requestId, what }) => {
    const isOver = what !== 'session' && what !== view.openAttempt?.attemptId;
    if (isFinal(view.state) || isOver) return null;
    const sent = await updateSession(context, session, cancelUpdate, {
      args: [{ what }],
      updateId: requestId,
    });
    return sent.kind === 'unknown' ? 'outcome_unknown' : null;
  });
}
