/** GET /v1/merchants/:merchantId/checkouts/:checkoutId: one checkout with its history. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import {
  checkoutHistoryAnswer,
  checkoutPath,
  exampleCheckoutHistory,
} from '../../contract/session/checkout-history.ts';
import { findSessionHistory } from '../../db/session/session-history.ts';
import { sendResource } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { accessOf } from '../http/exchange.ts';
import { pathId } from '../http/request/path-id.ts';
import type { Route } from '../http/route.ts';

export function showCheckoutHistoryRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const { merchantId, environment } = accessOf(response);
    const id = pathId(request, 'checkoutId', 'ap_chk_', 'checkout_not_found');
    const history = await findSessionHistory(pool, merchantId, environment, id);
    if (!history) throw new ApiError('checkout_not_found');
    sendResource(response, 200, history);
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/checkouts/:checkoutId',
    handlers: [...gate.read, show],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'showCheckoutHistory',
  tag: 'Dashboard',
  summary: 'One checkout with its history',
  description: 'The session, its customer, and its history and attempts in chronological order.',
  security: 'apiKeyOrPerson',
  path: checkoutPath,
  answers: {
    200: { description: 'The checkout.', schema: checkoutHistoryAnswer, example: exampleCheckoutHistory },
  },
  errors: ['checkout_not_found'],
};
