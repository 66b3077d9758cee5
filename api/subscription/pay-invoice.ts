/** POST /v1/invoices/:id/pay: one attempt now, by the stored method, against an unpaid invoice of a subscription. */
import type { Request, Response } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { exampleInvoice, type Invoice, paidInvoiceAnswer } from '../../contract/invoice/resources.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { emptyRequest } from '../../contract/subscription/subscription-operations.ts';
import { findInvoice } from '../../db/invoice/list-invoices.ts';
import { findAttempt } from '../../db/subscription/pay-invoice.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { payInvoiceUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { pathId } from '../http/request/path-id.ts';
import type { Route } from '../http/route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';
import { readUntil } from './read-until.ts';
import { operateSubscription } from './subscription-operation.ts';

/**
 * Returns a reader of the path's invoice.
 *
 * @throws ApiError 404
 */
export function invoiceOfKey({ pool, config }: ApiContext) {
  return async (request: Request, response: Response): Promise<Invoice> => {
    const id = pathId(request, 'id');
    const invoice = await findInvoice(pool, config.api.publicUrl, scopeOf(response), id);
    if (!invoice) throw new ApiError('invoice_not_found');
    return invoice;
  };
}

export function payInvoiceRoute(context: ApiContext): Route {
  const read = invoiceOfKey(context);
  const pay: Operation = async (request, response, operationId) => {
    const { id: invoiceId, subscription_id: subscriptionId } = await read(request, response);
    if (subscriptionId === null) throw new ApiError('invoice_not_payable');
    const { paymentId } = await operateSubscription(context, {
      scope: scopeOf(response),
      subscriptionId,
      operationId,
      update: payInvoiceUpdate,
      command: { invoiceId },
    });
    const payment = await readUntil(
      () => findAttempt(context.pool, String(paymentId)),
      ({ status }) => !isOpen(status),
    );
    const body = { ...(await read(request, response)), payment };
    return { status: 200, body, flowId: subscriptionId };
  };
  return serverRoute(context, {
    path: '/v1/invoices/:id/pay',
    describe,
    find: read,
    operation: pay,
  });
}

const describe: OperationDescription = {
  operationId: 'payInvoice',
  tag: 'Subscriptions',
  summary: 'Charge an unpaid invoice now',
  description:
    'One attempt with the stored method for the same invoice, in addition to the retry schedule. If an attempt is ' +
    'already in progress, the request joins it, so that there is one charge. The response waits up to five seconds ' +
    'for it: `payment.status` reports the result, and a decline is 200 with `failed`. At most three attempts a day ' +
    '(429), the oldest unpaid invoice first; after a ' +
    'decline that forbids another attempt, only with another method.',
  idempotencyKey: 'required',
  body: { schema: emptyRequest, example: {}, required: false },
  answers: {
    200: {
      description: 'The invoice, with the attempt.',
      schema: paidInvoiceAnswer,
      example: {
        ...exampleInvoice,
        payment: { id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8', status: 'succeeded', failure_code: null },
      },
      headers: withFlowId,
    },
  },
  errors: [
    'invoice_not_found',
    'invoice_not_payable',
    'invoice_older_unpaid',
    'payment_method_declined',
    'payment_rail_unavailable',
    ...refusalsOf('payInvoice'),
  ],
};
