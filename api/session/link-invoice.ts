/**
 * POST /v1/merchants/:merchantId/subscriptions/:subscriptionId/payment-link: a person creates a link through which
 * the buyer pays an unpaid invoice.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { exampleInvoice } from '../../contract/invoice/resources.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { invoiceLink, invoiceLinkRequest } from '../../contract/subscription/details.ts';
import { PAYMENT_LINK_ERRORS } from '../../db/session/payment-links.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { personRoute } from '../http/routes/keyed-route.ts';
import { auditRequest, subscriptionOfPath } from '../subscription/subscription-of-person.ts';
import { openingLinks } from './payment-link.ts';

export function linkInvoiceRoute(context: ApiContext, gate: MerchantGate): Route {
  const open = openingLinks(context);
  const create: Operation = async (request, response) => {
    const { invoice_id: invoiceId } = parseRequest(invoiceLinkRequest, request.body);
    const subscription = await subscriptionOfPath(context, request, response);
    await auditRequest(context, subscription, response, 'payment_link', { invoice_id: invoiceId });
    const link = await open(subscription.scope, subscription.id, invoiceId);
    return { status: 201, body: { url: link.hostedUrl, expires_at: link.expiresAt }, flowId: link.id };
  };
  return personRoute(context, gate, ['serve_subscribers'], {
    path: '/v1/merchants/:merchantId/subscriptions/:subscriptionId/payment-link',
    describe,
    find: (...of) => subscriptionOfPath(context, ...of),
    sealed: true,
    operation: create,
  });
}

const describe: OperationDescription = {
  operationId: 'linkInvoice',
  tag: 'Dashboard',
  summary: 'Create a link to pay an invoice',
  description:
    'Same as `POST /v1/invoices/{id}/payment-link`, for owners, managers and support. Send the link to the buyer, who can ' +
    'use it for 24 hours.',
  idempotencyKey: 'required',
  body: { schema: invoiceLinkRequest, example: { invoice_id: exampleInvoice.id }, required: true },
  answers: {
    201: {
      description: 'The link.',
      ...invoiceLink,
      headers: withFlowId,
    },
  },
  errors: ['subscription_not_found', ...PAYMENT_LINK_ERRORS],
};
