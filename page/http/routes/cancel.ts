import type { Response } from 'express';
import { z } from 'zod';
import { isFinal } from '../../../domain/session/session.ts';
import { cancelUpdate } from '../../../workflows/session/session-messages.ts';
import { answerError, answerView } from '../answer.ts';
import type { PageContext } from '../context.ts';
import { load, type SessionRequest } from '../load.ts';
import { sendUpdate } from '../send-update.ts';

const cancelBody = z.object({
  /** Created by the page for each click; a retry sends the same id. */
  requestId: z.uuid(),
  what: z.enum(['attempt', 'session']),
});

/** `POST /pay/:pageToken/cancel`: cancels the open attempt, or ends the session. */
export function cancel(context: PageContext) {
  return async (req: SessionRequest, res: Response) => {
    const parsed = cancelBody.safeParse(req.body);
    if (!parsed.success) return answerError(res, 'invalid_request');
    const { requestId, what } = parsed.data;
    const loaded = await load(context, req);
    if (!loaded) return answerError(res, 'session_not_found');
    const { session, view } = loaded;
    const nothingToCancel = isFinal(view.state) || (what === 'attempt' && !view.openAttempt);
    if (nothingToCancel) return answerView(res, view);
    const sent = await sendUpdate(context, session, cancelUpdate, [{ what }], requestId);
    if (sent.kind === 'unknown') return answerError(res, 'outcome_unknown');
    const now = await load(context, req);
    answerView(res, now?.view ?? view);
  };
}
