/**
 * POST /v1/refunds and GET /v1/refunds/:id. The checks against stored facts, in the contract's order, and the
 * reservation are in `db/create-refund.ts`; the workflow `refund` does the rest.
 */
import type { RequestHandler } from 'express';
import { refundRequest } from '../../contract/refund.ts';
import { createRefund, findRefund } from '../../db/create-refund.ts';
import { authenticate } from '../auth.ts';
import type { ApiContext } from '../context.ts';
import { ApiError } from '../errors.ts';
import { exchangeOf, scopeOf } from '../exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../idempotency.ts';
import { readJsonBody } from '../json-body.ts';
import { merchantKeys } from '../merchant-keys.ts';
import { refuseOtherMerchantInBody } from '../own-merchant.ts';
import { parseRequest } from '../parse-request.ts';
import type { Route } from '../route.ts';
import { startRefund } from '../start-refund.ts';

export function refundRoutes(context: ApiContext): readonly Route[] {
  const { pool, rails } = context;

  const create: Operation = async (request, response, operationId) => {
    if (operationId === null) throw new Error('the route requires an idempotency key');
    const fields = parseRequest(refundRequest, request.body);
    const scope = scopeOf(response);
    const refund = await createRefund(pool, {
      scope,
      operationId,
      of: fields.paymentId ? { paymentId: fields.paymentId } : { orderId: fields.orderId ?? '' },
      amount: fields.amount ?? null,
      currency: fields.currency ?? null,
      reason: fields.reason ?? null,
      railNames: [...rails.keys()],
    });
    if (typeof refund === 'string') throw new ApiError(refund);
    const { id, amount, currency } = refund;
    await startRefund(context, { id, ...scope, amount, currency });
    return { status: 201, body: refund, flowId: id };
  };

  const show: RequestHandler<{ id: string }> = async (request, response) => {
    const refund = await findRefund(pool, scopeOf(response), request.params.id);
    if (!refund) throw new ApiError('refund_not_found');
    response.json({ ...refund, request_id: exchangeOf(response).requestId });
  };

  return [
    {
      method: 'post',
      path: '/v1/refunds',
      handlers: [
        authenticate(context),
        takeIdempotencyKey({ required: true }),
        readJsonBody,
        refuseOtherMerchantInBody,
        idempotent({ ...merchantKeys(pool), keepForEver: true }, create),
      ],
    },
    {
      method: 'get',
      path: '/v1/refunds/:id',
      handlers: [authenticate(context), show as unknown as RequestHandler],
    },
  ];
}
