/** POST /v1/manual-charges: records a local payment in `processing` without sending anything. */
import { randomUUID } from 'node:crypto';
import type { OperationDescription } from '../../contract/core/operation.ts';
import {
  describedManualChargeRequest,
  manualChargeAnswer,
  manualChargeRequest,
} from '../../contract/payment/manual-charge.ts';
import { exampleOrder } from '../../contract/payment/resources.ts';
import { insertManualPayment } from '../../db/payment/manual-payments.ts';
import { DEFAULT_CURRENCY } from '../../domain/core/money.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';

export function createManualChargeRoute(context: ApiContext): Route {
  const { pool } = context;

  const charge: Operation = async (request, response, operationId) => {
    const { orderId, amount, currency } = parseRequest(manualChargeRequest, request.body);
    const payment = await insertManualPayment(pool, {
      scope: scopeOf(response),
      operationId: operationId ?? randomUUID(),
      target: amount ? { amount, currency: currency ?? DEFAULT_CURRENCY } : { orderId: orderId ?? '' },
    });
    if (!payment) throw new ApiError('order_not_found');
    return { status: 202, body: payment };
  };

  return serverRoute(context, {
    path: '/v1/manual-charges',
    describe,
    operation: charge,
  });
}

const describe: OperationDescription = {
  operationId: 'createManualCharge',
  tag: 'Manual charges and invoice settings',
  summary: 'Record a local charge',
  description:
    '**This collects no money.** It creates a local payment in `processing`: nothing is sent to a card ' +
    'processor, the order stays unchanged, no event is sent, and the payment never progresses. Do not deliver ' +
    'goods on it.',
  idempotencyKey: 'optional',
  body: { schema: describedManualChargeRequest, example: { orderId: exampleOrder.id }, required: true },
  answers: { 202: { description: 'The local payment.', ...manualChargeAnswer } },
  errors: ['order_not_found'],
};
