/** `GET /pay/:pageToken/state`: the current view. */
import type { Response } from 'express';
import { answerError, answerView } from '../answer.ts';
import type { PageContext } from '../context.ts';
import { load, type SessionRequest } from '../load.ts';

export function showState(context: PageContext) {
  return async (req: SessionRequest, res: Response) => {
    const loaded = await load(context, req);
    if (!loaded) return answerError(res, 'session_not_found');
    answerView(res, loaded.view);
  };
}
