/** GET /v1/merchants/:merchantId/checkouts/:checkoutId: one checkout with its history. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { checkoutHistoryAnswer } from '../../contract/session/checkout-history.ts';
import { findSessionHistory } from '../../db/session/read/session-history.ts';
import { pathId } from '../http/request/path-id.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';

export const showCheckoutHistoryRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/checkouts/:checkoutId',
  allow: ['read'],
  describe,
  answer: async (request, { merchantId, environment }) => {
    const id = pathId(request, 'checkoutId');
    return (await findSessionHistory(pool, merchantId, environment, id)) ?? 'checkout_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'showCheckoutHistory',
  tag: 'Dashboard',
  summary: 'One checkout with its history',
  description: 'The session, its customer, and its history and attempts in chronological order.',
  answers: { 200: { description: 'The checkout.', ...checkoutHistoryAnswer } },
  errors: ['checkout_not_found'],
};
