import { z } from 'zod';
import { requiredText } from '../../../contract/core/text.ts';
import { enterCode } from '../../../db/session/enter-code.ts';
import type { PageContext } from '../context.ts';
import { pageAction } from '../page-action.ts';

const codeBody = z.object({
  /** As the buyer typed it; null removes the coupon. */
  code: requiredText(60).nullable(),
});

/**
 * `POST /pay/:pageToken/code`: applies the coupon with this code to the session, or removes the coupon. A repeated
 * request has no further effect, except that a refused code counts again. While no money may move, the answer is 503
 * `payment_rail_unavailable`. The workflow is not involved: the row's lock serializes this with clicks.
 */
export function changeCode(context: PageContext) {
  return pageAction(context, codeBody, ({ pool, session }, { code }) => enterCode(pool, session.id, code));
}
