/** POST /v1/invoices/:id/payment-link: a hosted page on which the customer pays an unpaid invoice of a subscription. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { examplePaymentLink, paymentLink } from '../../contract/invoice/resources.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { emptyRequest } from '../../contract/subscription/subscription-operations.ts';
import { createPaymentLink, PAYMENT_LINK_ERRORS } from '../../db/session/payment-links.ts';
import type { Scope } from '../../domain/core/environment.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';
import { invoiceOfKey } from '../subscription/pay-invoice.ts';
import { sessionOpener } from './open-session.ts';

export function paymentLinkRoute(context: ApiContext): Route {
  const open = openingLinks(context);
  const read = invoiceOfKey(context);
  const create: Operation = async (request, response) => {
    const { id: invoiceId, subscription_id: subscriptionId } = await read(request, response);
    if (subscriptionId === null) throw new ApiError('invoice_not_payable');
    const body = await open(scopeOf(response), subscriptionId, invoiceId);
    return { status: 201, body, flowId: body.id };
  };
  return serverRoute(context, {
    path: '/v1/invoices/:id/payment-link',
    describe,
    find: read,
    sealed: true,
    operation: create,
  });
}

/** Creates links, or returns those that are open, each with its workflow started. */
export function openingLinks(context: ApiContext) {
  const opener = sessionOpener(context, 'ap_lnk_');
  return async (scope: Scope, subscriptionId: string, invoiceId: string) => {
    const link = { scope, subscriptionId, invoiceId, ...opener.common() };
    const { id, page } = await opener.open(await createPaymentLink(context.pool, link), scope);
    return { id, ...page };
  };
}

const describe: OperationDescription = {
  operationId: 'createPaymentLink',
  tag: 'Subscriptions',
  summary: 'Let a customer pay an unpaid invoice',
  description:
    'A hosted page for this invoice and amount, open for 24 hours, with any card and a confirmation by the bank if needed. ' +
    'Repeating the request returns the open link. Retries continue in parallel; the invoice is charged once, ' +
    'whichever pays first. If the ' +
    'customer agrees on the page, the method becomes the subscription’s (`payment_method.updated`). ' +
    '`payment.succeeded` or `payment.failed` reports each attempt. The oldest unpaid invoice is paid first.',
  idempotencyKey: 'required',
  body: { schema: emptyRequest, example: {}, required: false },
  answers: {
    201: { description: 'The link.', schema: paymentLink, example: examplePaymentLink, headers: withFlowId },
  },
  errors: ['invoice_not_found', ...PAYMENT_LINK_ERRORS],
};
