/**
 * POST /v1/payment-methods/change: opens a page on which a subscription's customer replaces the card.
 * `payment_method.updated` or `payment_method.update_failed` reports the result.
 */
import { fieldCodes } from '../../contract/core/field-codes.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import {
  exampleMethodChange,
  type MethodChange,
  methodChange,
  methodChangeRequest,
} from '../../contract/session/method-change.ts';
import { exampleSubscription } from '../../contract/subscription/resources.ts';
import {
  createMethodChange,
  isSubscriptionOf,
  METHOD_CHANGE_REFUSALS,
} from '../../db/session/method-changes.ts';
import type { ApiContext } from '../http/context.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';
import { buyerDetails } from './buyer-details.ts';
import { sessionOpener } from './open-session.ts';

export function changePaymentMethodRoute(context: ApiContext): Route {
  const opener = sessionOpener(context, 'ap_pmc_');

  const create: Operation = async (request, response, operationId) => {
    const scope = scopeOf(response);
    const fields = parseFields(methodChangeRequest, request.body, 'payment_method_change');
    const change = await createMethodChange(context.pool, {
      scope,
      operationId,
      subscriptionId: fields.subscriptionId,
      externalCustomerId: fields.externalCustomerId,
      buyer: buyerDetails(fields.customer),
      successUrl: fields.successUrl,
      failUrl: fields.failUrl,
      ...opener.common(),
    });
    const { id, page, created } = await opener.open(change, scope);
    const body: Omit<MethodChange, 'request_id'> = { id, customerId: created.customer_id, ...page };
    return { status: 201, body, flowId: id };
  };

  return serverRoute(context, {
    path: '/v1/payment-methods/change',
    describe,
    find: ({ body }, response) => isSubscriptionOf(context.pool, scopeOf(response), body),
    sealed: true,
    operation: create,
  });
}

const describe: OperationDescription = {
  operationId: 'changePaymentMethod',
  tag: 'Subscriptions',
  summary: 'Let a customer replace the payment method',
  description:
    'A hosted action, open for 15 minutes, in which the customer of a subscription replaces the card. Send the ' +
    "customer's browser to `hostedUrl`. `payment_method.updated` or `payment_method.update_failed` reports the result; " +
    'an overdue invoice is charged with the new method immediately. A newer action replaces an older one.',
  idempotencyKey: 'optional',
  body: {
    schema: methodChangeRequest,
    example: {
      subscriptionId: exampleSubscription.id,
      externalCustomerId: 'customer-17',
      customer: { email: 'ada@example.org' },
      successUrl: 'https://shop.example/account',
      failUrl: 'https://shop.example/account',
    },
    required: true,
  },
  answers: {
    201: {
      description: 'The action.',
      schema: methodChange,
      example: exampleMethodChange,
      headers: withFlowId,
    },
  },
  errors: [...fieldCodes(methodChangeRequest, 'payment_method_change'), ...METHOD_CHANGE_REFUSALS],
};
