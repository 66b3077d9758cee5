/** POST /v1/manual-charges: records a payment in `processing`, and sends nothing to anybody. */
import { randomUUID } from 'node:crypto';
import { manualChargeRequest } from '../../contract/manual-charge.ts';
import { insertManualPayment } from '../../db/manual-payments.ts';
import { authenticate } from '../auth.ts';
import type { ApiContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { scopeOf } from '../exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../idempotency.ts';
import { readJsonBody } from '../json-body.ts';
import { merchantKeys } from '../merchant-keys.ts';
import { refuseOtherMerchantInBody } from '../own-merchant.ts';
import { parseRequest } from '../parse-request.ts';
import type { Route } from '../route.ts';

export function createManualChargeRoute(context: ApiContext): Route {
  const { pool } = context;

  const charge: Operation = async (request, response, operationId) => {
    const { orderId, amount, currency } = parseRequest(manualChargeRequest, request.body);
    const payment = await insertManualPayment(pool, {
      scope: scopeOf(response),
      operationId: operationId ?? randomUUID(),
      target: amount ? { amount, currency: currency ?? 'EUR' } : { orderId: orderId ?? '' },
    });
    if (!payment) throw new ApiError('order_not_found');
    return { status: 202, body: payment };
  };

  return {
    method: 'post',
    path: '/v1/manual-charges',
    handlers: [
      authenticate(context),
      takeIdempotencyKey({ required: false }),
      readJsonBody,
      refuseOtherMerchantInBody,
      idempotent(merchantKeys(pool), charge),
    ],
  };
}
