/**
 * POST /v1/merchants/:merchantId/refunds: a person refunds a payment, through the reservation and workflow of POST
 * /v1/refunds.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { merchantIdPath } from '../../contract/core/pages.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { merchantRefundRequest } from '../../contract/refund/merchant-refund.ts';
import { exampleRefund, exampleRefundAnswer, refundAnswer } from '../../contract/refund/refund.ts';
import { isThere } from '../../db/core/is-there.ts';
import { createRefund } from '../../db/refund/create-refund.ts';
import { granted } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import { peoplesKeys } from '../http/auth/merchant-keys.ts';
import { refuseOtherMerchantInBody } from '../http/auth/own-merchant.ts';
import type { ApiContext } from '../http/context.ts';
import { accessOf, actorOf } from '../http/exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../http/idempotency.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import { refuseUnknownFields } from '../http/request/refuse-unknown-fields.ts';
import type { Route } from '../http/route.ts';
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
  return {
    method: 'post',
    path: '/v1/merchants/:merchantId/refunds',
    handlers: [
      ...gate.allow('refund', 'refund_within_limit'),
      takeIdempotencyKey({ required: true }),
      readJsonBody,
      refuseOtherMerchantInBody,
      refuseUnknownFields(describe, ({ body }, response) => {
        const environment = body.environment === 'production' ? 'production' : 'sandbox';
        return isThere(
          pool,
          'payments',
          { merchantId: accessOf(response).merchantId, environment },
          body.payment_id,
        );
      }),
      idempotent({ ...peoplesKeys(pool), movesMoney: true }, create),
    ],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'createRefundAsPerson',
  tag: 'Dashboard',
  summary: 'Refund a payment, as a person',
  description:
    'Same as `POST /v1/refunds`, for owners and managers, and for support up to the merchant’s ' +
    '`support_refund_limit`; it is recorded in the audit log. A repeated key makes no second refund, nor does another key with the same `if_refundable_amount`.',
  security: 'person',
  idempotencyKey: 'required',
  path: merchantIdPath,
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
    201: {
      description: 'The refund is in progress or complete.',
      schema: refundAnswer,
      example: exampleRefundAnswer,
      headers: withFlowId,
    },
  },
  errors: [
    'invalid_request',
    'payment_not_found',
    'payment_not_refundable',
    'refundable_amount_changed',
    'refund_amount_exceeds_payment',
    'refund_limit_exceeded',
    'refunds_not_supported',
    'payment_disputed',
  ],
};
