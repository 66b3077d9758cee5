/** GET /v1/merchants/:merchantId/payments/:paymentId: one payment with its history. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { examplePaymentDetails, paymentDetailsAnswer, paymentPath } from '../../contract/payment/search.ts';
import { findPaymentDetails } from '../../db/payment/payment-details.ts';
import { sendResource } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { accessOf } from '../http/exchange.ts';
import { pathId } from '../http/request/path-id.ts';
import type { Route } from '../http/route.ts';

export function showPaymentRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const { merchantId, environment } = accessOf(response);
    const id = pathId(request, 'paymentId', 'ap_pay_', 'payment_not_found');
    const details = await findPaymentDetails(pool, merchantId, environment, id);
    if (!details) throw new ApiError('payment_not_found');
    sendResource(response, 200, details);
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/payments/:paymentId',
    handlers: [...gate.read, show],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'showPayment',
  tag: 'Dashboard',
  summary: 'One payment with its history',
  description: 'The payment, its customer, refunds and invoice, and its history in chronological order.',
  security: 'apiKeyOrPerson',
  path: paymentPath,
  answers: {
    200: { description: 'The payment.', schema: paymentDetailsAnswer, example: examplePaymentDetails },
  },
  errors: ['payment_not_found'],
};
