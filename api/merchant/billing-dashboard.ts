/** GET /v1/billing/dashboard: counts of billing objects in the key's environment. */
import type { RequestHandler } from 'express';
import { exampleProduct } from '../../contract/catalogue/resources.ts';
import { EXAMPLE_REQUEST_ID } from '../../contract/core/answers.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { type BillingDashboard, billingDashboard } from '../../contract/merchant/billing-counters.ts';
import { countBilling } from '../../db/merchant/billing-counters.ts';
import { authenticate } from '../http/auth/api-key.ts';
import type { ApiContext } from '../http/context.ts';
import { exchangeOf, scopeOf } from '../http/exchange.ts';
import type { Route } from '../http/route.ts';

export function billingDashboardRoute(context: ApiContext): Route {
  const count: RequestHandler = async (_request, response) => {
    const scope = scopeOf(response);
    const { subscriptions, ...counters } = await countBilling(context.pool, scope);
    const dashboard: BillingDashboard = {
      merchant_id: scope.merchantId,
      ...counters,
      ...(subscriptions !== null && { subscriptions }),
      request_id: exchangeOf(response).requestId,
    };
    response.json(dashboard);
  };
  return {
    method: 'get',
    path: '/v1/billing/dashboard',
    handlers: [authenticate(context), count],
    describe,
  };
}

const example: BillingDashboard = {
  merchant_id: exampleProduct.merchant_id,
  orders: 17,
  payments: 19,
  invoices: 17,
  subscriptions: 4,
  request_id: EXAMPLE_REQUEST_ID,
};

const describe: OperationDescription = {
  operationId: 'showBillingDashboard',
  tag: 'Billing',
  summary: 'Counters',
  description:
    'Counts of billing objects in the environment of the key. `subscriptions` is present only with the ' +
    'subscriptions capability.',
  security: 'apiKey',
  answers: { 200: { description: 'The counters.', schema: billingDashboard, example } },
  errors: [],
};
