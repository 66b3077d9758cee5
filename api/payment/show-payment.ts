/** GET /v1/merchants/:merchantId/payments/:paymentId: one payment with its history. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { paymentDetailsAnswer } from '../../contract/payment/search.ts';
import { findPaymentDetails } from '../../db/payment/payment-details.ts';
import { pathId } from '../http/request/path-id.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';

export const showPaymentRoute = merchantRoute(({ pool, config }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/payments/:paymentId',
  allow: ['read'],
  describe,
  answer: async (request, { merchantId, environment }) => {
    const id = pathId(request, 'paymentId');
    return (
      (await findPaymentDetails(pool, config.api.publicUrl, merchantId, environment, id)) ??
      'payment_not_found'
    );
  },
}));

const describe: OperationDescription = {
  operationId: 'showPayment',
  tag: 'Dashboard',
  summary: 'One payment with its history',
  description: 'The payment, its customer, refunds and invoice, and its history in chronological order.',
  answers: { 200: { description: 'The payment.', ...paymentDetailsAnswer } },
  errors: ['payment_not_found'],
};
