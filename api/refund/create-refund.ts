/**
 * POST /v1/refunds and GET /v1/refunds/:id. `db/refund/create-refund.ts` checks stored facts in the contract's order,
 * then reserves the amount; the workflow `refund` does the rest.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import {
  describedRefundRequest,
  exampleRefund,
  refundAnswer,
  refundRequest,
} from '../../contract/refund/refund.ts';
import { isThere } from '../../db/core/is-there.ts';
import { createRefund, findRefund } from '../../db/refund/create-refund.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { pathId } from '../http/request/path-id.ts';
import type { Route } from '../http/route.ts';
import { keyRoute } from '../http/routes/gated-route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';
import { startRefund } from './start-refund.ts';

/** Id of an orphaned charge's return. Adopted as a refund, the return keeps its id at the rail (rule 29). */
const RETURN_ID = /^ap_pay_[0-9a-z]{1,64}-return$/;

export function createRefundRoute(context: ApiContext): Route {
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
      confirmDispute: fields.confirmDispute === true,
      railNames: [...rails.keys()],
    });
    if (typeof refund === 'string') throw new ApiError(refund);
    const { id, amount, currency } = refund;
    await startRefund(context, { id, ...scope, amount, currency });
    return { status: 201, body: refund, flowId: id };
  };

  return serverRoute(context, {
    path: '/v1/refunds',
    describe: creating,
    find: ({ body }, response) =>
      isThere(
        pool,
        body.paymentId ? 'payments' : 'orders',
        scopeOf(response),
        body.paymentId || body.orderId,
      ),
    movesMoney: true,
    operation: create,
  });
}

export const showRefundRoute = keyRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/refunds/:id',
  describe: showing,
  answer: async (request, scope) => {
    const given = String(request.params.id);
    const id = RETURN_ID.test(given) ? given : pathId(request, 'id');
    return (await findRefund(pool, scope, id)) ?? 'refund_not_found';
  },
}));

const creating: OperationDescription = {
  operationId: 'createRefund',
  tag: 'Refunds',
  summary: 'Refund a payment',
  description:
    'Refunds a settled payment, in full or in part; several partial refunds may add up to the ' +
    'amount paid. The amount is reserved before the card processor is asked, and the response may come while the ' +
    'refund is still `pending`: its outcome is determined whatever fails, and `refund.created` reports it. ' +
    'If the rail account does not support refunds, the response is 501 and nothing is sent to it.\n\n' +
    'Disputed money (open or lost) is refunded only with `confirmDispute: true`: the buyer’s bank returns, or ' +
    'has returned, that money itself. Otherwise the response is 409 `payment_disputed`; confirm with a new ' +
    '`Idempotency-Key`.\n\n' +
    'Checked in this order: key, body, existence, state, amount, currency, capability, dispute.',
  idempotencyKey: 'required',
  body: {
    schema: describedRefundRequest,
    example: { paymentId: exampleRefund.payment_id, amount: 500, reason: exampleRefund.reason },
    required: true,
  },
  answers: {
    201: {
      description: 'The refund is in progress or complete.',
      ...refundAnswer,
      headers: withFlowId,
      links: [{ operationId: 'showRefund', parameters: { id: '$response.body#/id' } }],
    },
  },
  errors: [
    'payment_not_found',
    'order_not_found',
    'payment_not_refundable',
    'refund_amount_exceeds_payment',
    'refund_currency_mismatch',
    'refunds_not_supported',
    'payment_disputed',
  ],
};

const showing: OperationDescription = {
  operationId: 'showRefund',
  tag: 'Refunds',
  summary: 'One refund',
  description: 'The refund in its current state.',
  answers: { 200: { description: 'The refund.', ...refundAnswer } },
  errors: ['refund_not_found'],
};
