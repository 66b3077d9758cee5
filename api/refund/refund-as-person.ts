/**
 * POST /v1/merchants/:merchantId/refunds: a person refunds a payment, through the reservation and workflow of POST
 * /v1/refunds.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { merchantRefundRequest } from '../../contract/refund/merchant-refund.ts';
import { exampleRefund, refundAnswer } from '../../contract/refund/refund.ts';
import { isThere } from '../../db/core/is-there.ts';
import { createRefund } from '../../db/refund/create-refund.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { accessOf, actorOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { granted } from '../http/resource.ts';
import type { Route } from '../http/route.ts';
import { personRoute } from '../http/routes/keyed-route.ts';
import { startRefund } from './start-refund.ts';

export function merchantRefundRoute(context: ApiContext, gate: MerchantGate): Route {
  const { pool, rails } = context;
  const create: Operation = async (request, response, operationId) => {
    if (operationId === null) throw new Error('the route requires an idempotency key');
    const fields = parseRequest(merchantRefundRequest, request.body);
    const { merchantId, permissions } = accessOf(response);
    const scope = { merchantId, environment: fields.environment };
    const refund = granted(
      await createRefund(pool, {
        scope,
        operationId,
        of: { paymentId: fields.payment_id },
        amount: fields.amount ?? null,
        currency: null,
        reason: fields.reason ?? null,
        confirmDispute: fields.confirm_dispute === true,
        expectedLeft: fields.if_refundable_amount,
        limited: !permissions.has('refund'),
        railNames: [...rails.keys()],
        actor: actorOf(response),
      }),
    );
    const { id, amount, currency } = refund;
    await startRefund(context, { id, ...scope, amount, currency });
    return { status: 201, body: refund, flowId: id };
  };
  return personRoute(context, gate, ['refund', 'refund_within_limit'], {
    path: '/v1/merchants/:merchantId/refunds',
    describe,
    find: ({ body }, response) => {
      const environment = body.environment === 'production' ? 'production' : 'sandbox';
      return isThere(
        pool,
        'payments',
        { merchantId: accessOf(response).merchantId, environment },
        body.payment_id,
      );
    },
    movesMoney: true,
    operation: create,
  });
}

const describe: OperationDescription = {
  operationId: 'createRefundAsPerson',
  tag: 'Dashboard',
  summary: 'Refund a payment, as a person',
  description:
    'Same as `POST /v1/refunds`, for owners and managers, and for support up to the merchant’s ' +
    '`support_refund_limit`; it is recorded in the audit log. A repeated key makes no second refund, nor does another key with the same `if_refundable_amount`.',
  idempotencyKey: 'required',
  body: {
    schema: merchantRefundRequest,
    example: {
      environment: 'sandbox',
      payment_id: exampleRefund.payment_id,
      amount: 500,
      if_refundable_amount: 1_900,
      reason: exampleRefund.reason,
    },
    required: true,
  },
  answers: {
    201: { description: 'The refund is in progress or complete.', ...refundAnswer, headers: withFlowId },
  },
  errors: [
    'payment_not_found',
    'payment_not_refundable',
    'refundable_amount_changed',
    'refund_amount_exceeds_payment',
    'refund_limit_exceeded',
    'refunds_not_supported',
    'payment_disputed',
  ],
};
