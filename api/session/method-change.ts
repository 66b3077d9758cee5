/**
 * POST /v1/merchants/:merchantId/subscriptions/:subscriptionId/method-change: creates a link through which the buyer
 * replaces the payment method.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { methodChangeLink, methodChangeLinkRequest } from '../../contract/subscription/details.ts';
import { createMethodChange, METHOD_CHANGE_REFUSALS } from '../../db/session/method-changes.ts';
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseRequest } from '../http/request/parse-request.ts';
import type { Route } from '../http/route.ts';
import { personRoute } from '../http/routes/keyed-route.ts';
import { auditRequest, subscriptionOfPath } from '../subscription/subscription-of-person.ts';
import { NO_DETAILS } from './buyer-details.ts';
import { sessionOpener } from './open-session.ts';

export function linkMethodChangeRoute(context: ApiContext, gate: MerchantGate): Route {
  const opener = sessionOpener(context, 'ap_pmc_');
  const create: Operation = async (request, response, operationId) => {
    const { return_url: returnUrl } = parseRequest(methodChangeLinkRequest, request.body);
    const subscription = await subscriptionOfPath(context, request, response);
    const { id: subscriptionId, scope } = subscription;
    // Record the origin only: path and query may name the buyer, and audit rows outlive an erasure.
    const { origin } = new URL(returnUrl);
    await auditRequest(context, subscription, response, 'method_change', { return_origin: origin });
    const change = await createMethodChange(context.pool, {
      ...opener.common(),
      scope,
      operationId,
      subscriptionId,
      externalCustomerId: null,
      buyer: NO_DETAILS,
      successUrl: returnUrl,
      failUrl: returnUrl,
    });
    const { id, page } = await opener.open(change, scope);
    return { status: 201, body: { url: page.hostedUrl, expires_at: page.expiresAt }, flowId: id };
  };
  return personRoute(context, gate, ['serve_subscribers'], {
    path: '/v1/merchants/:merchantId/subscriptions/:subscriptionId/method-change',
    describe,
    find: (...of) => subscriptionOfPath(context, ...of),
    sealed: true,
    operation: create,
  });
}

const describe: OperationDescription = {
  operationId: 'linkMethodChange',
  tag: 'Dashboard',
  summary: 'Create a link to replace a payment method',
  description:
    'Same as `POST /v1/payment-methods/change`, for owners, managers and support. Send the link to the buyer, who can ' +
    'use it for 15 minutes to replace the card of this subscription. A newer link invalidates older ones.',
  idempotencyKey: 'required',
  body: {
    schema: methodChangeLinkRequest,
    example: { return_url: 'https://shop.example/account' },
    required: true,
  },
  answers: { 201: { description: 'The link.', ...methodChangeLink, headers: withFlowId } },
  errors: [...METHOD_CHANGE_REFUSALS],
};
