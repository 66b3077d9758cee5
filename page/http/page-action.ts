/** A POST of the page's script: checks the body, reads the session, acts, and answers the session's new view. */
import type { Response } from 'express';
import type { z } from 'zod';
import type { PageErrorCode } from '../document/answers.ts';
import { answerError, answerView } from './answer.ts';
import type { PageContext } from './context.ts';
import { type Loaded, load, type SessionRequest } from './load.ts';

/** @param act returns the error's code; null if there is none */
export function pageAction<Body>(
  context: PageContext,
  schema: z.ZodType<Body>,
  act: (loaded: Loaded, body: Body) => Promise<PageErrorCode | null>,
) {
  return async (req: SessionRequest, res: Response) => {
    const parsed = schema.safeParse(req.body);
    if (!parsed.success) return answerError(res, 'invalid_request');
    const loaded = await load(context, req);
    if (!loaded) return answerError(res, 'session_not_found');
    const error = await act(loaded, parsed.data);
    if (error) return answerError(res, error);
    const now = await load(context, req);
    answerView(res, now?.view ?? loaded.view);
  };
}
