/** GET …/billing/dashboard: the counters of one environment or, for people who ask for none, of both. */
import type { RequestHandler } from 'express';
import type { BillingDashboard } from '../../contract/resources.ts';
import { countBilling } from '../../db/billing-counters.ts';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import type { ApiContext } from '../context.ts';
import { environmentFilter } from '../environment-filter.ts';
import { accessOf, exchangeOf } from '../exchange.ts';
import type { MerchantGate } from '../merchant-gate.ts';
import type { Route } from '../route.ts';

export function merchantDashboardRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const count: RequestHandler = async (request, response) => {
    const { merchantId } = accessOf(response);
    const asked = environmentFilter(request, response);
    const counted = await Promise.all(
      ENVIRONMENTS.filter((environment) => asked === null || environment === asked).map((environment) =>
        countBilling(pool, { merchantId, environment }),
      ),
    );
    const total = (of: 'orders' | 'payments' | 'invoices' | 'subscriptions') =>
      counted.reduce((sum, counters) => sum + (counters[of] ?? 0), 0);
    const dashboard: BillingDashboard = {
      merchant_id: merchantId,
      orders: total('orders'),
      payments: total('payments'),
      invoices: total('invoices'),
      ...(counted.some(({ subscriptions }) => subscriptions !== null) && {
        subscriptions: total('subscriptions'),
      }),
      request_id: exchangeOf(response).requestId,
    };
    response.json(dashboard);
  };
  return {
    method: 'get',
    path: '/v1/merchants/:merchantId/billing/dashboard',
    handlers: [...gate.read, count],
  };
}
