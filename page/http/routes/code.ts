import type { Response } from 'express';
import { z } from 'zod';
import { requiredText } from '../../../contract/core/text.ts';
import { enterCode } from '../../../db/session/enter-code.ts';
import { answerError, answerView } from '../answer.ts';
import type { PageContext } from '../context.ts';
import { load, type SessionRequest } from '../load.ts';

const codeBody = z.object({
  /** As the buyer typed it; null removes the coupon. */
  code: requiredText(60).nullable(),
});

/**
 * `POST /pay/:pageToken/code`: gives the session the coupon with this code, or removes it. A repeated request has no
 * further effect, except that a refused code counts again. While no money may move, the answer is 503
 * `payment_rail_unavailable`. The workflow is not involved: the row's lock serializes this with clicks.
 */
export function changeCode(context: PageContext) {
  return async (req: SessionRequest, res: Response) => {
    const parsed = codeBody.safeParse(req.body);
    if (!parsed.success) return answerError(res, 'invalid_request');
    const loaded = await load(context, req);
    if (!loaded) return answerError(res, 'session_not_found');
    const refusal = await enterCode(loaded.pool, loaded.session.id, parsed.data.code);
    if (refusal) return answerError(res, refusal);
    const now = await load(context, req);
    answerView(res, now?.view ?? loaded.view);
  };
}
