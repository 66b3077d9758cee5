/** GET /v1/checkouts/{id}: a session's state, even if the session ended without an attempt and so sent no event. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { checkoutDetailsAnswer, exampleCheckoutDetails } from '../../contract/session/checkout-details.ts';
import { findSessionDetails } from '../../db/session/read/session-details.ts';
import { authenticate } from '../http/authentication/api-key.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { exchangeOf, scopeOf } from '../http/exchange.ts';
import { pathId } from '../http/request/path-id.ts';
import type { Route } from '../http/route.ts';

export function showCheckoutRoute(context: ApiContext): Route {
  const show: RequestHandler = async (request, response) => {
    const id = pathId(request, 'id', 'ap_chk_', 'checkout_not_found');
    const details = await findSessionDetails(context.pool, scopeOf(response), id);
    if (!details) throw new ApiError('checkout_not_found');
    response.json({ ...details, request_id: exchangeOf(response).requestId });
  };
  return { method: 'get', path: '/v1/checkouts/:id', handlers: [authenticate(context), show], describe };
}

const describe: OperationDescription = {
  operationId: 'showCheckout',
  tag: 'Checkouts',
  summary: 'One checkout session',
  description:
    'State, failure reason, attempts, and resulting objects. A session that ends without an attempt sends no ' +
    'event: read its state here. Deliver on `payment.succeeded`, not on this response.',
  security: 'apiKey',
  answers: {
    200: { description: 'The session.', schema: checkoutDetailsAnswer, example: exampleCheckoutDetails },
  },
  errors: ['checkout_not_found'],
};
