/** GET /v1/checkouts/{id}: a session's state, even if the session ended without an attempt and so sent no event. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { checkoutDetailsAnswer } from '../../contract/session/checkout-details.ts';
import { findSessionDetails } from '../../db/session/read/session-details.ts';
import { pathId } from '../http/request/path-id.ts';
import { keyRoute } from '../http/routes/gated-route.ts';

export const showCheckoutRoute = keyRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/checkouts/:id',
  describe,
  answer: async (request, scope) => {
    const id = pathId(request, 'id');
    return (await findSessionDetails(pool, scope, id)) ?? 'checkout_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'showCheckout',
  tag: 'Checkouts',
  summary: 'One checkout session',
  description:
    'State, failure reason, attempts, and resulting objects. A session that ends without an attempt sends no ' +
    'event: read its state here. Deliver on `payment.succeeded`, not on this response.',
  answers: { 200: { description: 'The session.', ...checkoutDetailsAnswer } },
  errors: ['checkout_not_found'],
};
