/** GET /v1/billing/dashboard: how many of each there are in the key's environment. */
import type { RequestHandler } from 'express';
import type { BillingDashboard } from '../../contract/resources.ts';
import { countBilling } from '../../db/billing-counters.ts';
import { authenticate } from '../auth.ts';
import type { ApiContext } from '../context.ts';
import { exchangeOf, scopeOf } from '../exchange.ts';
import type { Route } from '../route.ts';

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
  return { method: 'get', path: '/v1/billing/dashboard', handlers: [authenticate(context), count] };
}
