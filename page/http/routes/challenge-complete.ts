import type { Response } from 'express';
import { z } from 'zod';
import { completeChallengeUpdate } from '../../../workflows/session/session-messages.ts';
import { answerError, answerView } from '../answer.ts';
import type { PageContext } from '../context.ts';
import { load, type SessionRequest } from '../load.ts';
import { sendUpdate } from '../send-update.ts';

const challengeCompleteBody = z.object({
  /** Created by the page for each return from the bank; a retry sends the same id. */
  requestId: z.uuid(),
});

/**
 * `POST /pay/:pageToken/challenge-complete`: the browser has returned from the bank. The request carries no outcome:
 * the workflow asks the rail.
 */
export function challengeComplete(context: PageContext) {
  return async (req: SessionRequest, res: Response) => {
    const parsed = challengeCompleteBody.safeParse(req.body);
    if (!parsed.success) return answerError(res, 'invalid_request');
    const loaded = await load(context, req);
    if (!loaded) return answerError(res, 'session_not_found');
    const { session, view } = loaded;
    if (view.state !== 'requires_action' || !view.openAttempt) return answerView(res, view);
    const { attemptId } = view.openAttempt;
    const sent = await sendUpdate(
      context,
      session,
      completeChallengeUpdate,
      [{ attemptId }],
      parsed.data.requestId,
    );
    if (sent.kind === 'unknown') return answerError(res, 'outcome_unknown');
    const now = await load(context, req);
    answerView(res, now?.view ?? view);
  };
}
