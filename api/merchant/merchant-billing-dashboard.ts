/**
 * GET /v1/merchants/:merchantId/billing/dashboard: the counters of one environment or, for people who do not filter,
 * of both.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { exampleProduct } from '../../contract/catalogue/resources.ts';
import { EXAMPLE_REQUEST_ID } from '../../contract/core/answers.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { type BillingDashboard, billingDashboard } from '../../contract/merchant/billing-counters.ts';
import { countBilling } from '../../db/merchant/billing-counters.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import { accessOf, exchangeOf } from '../http/exchange.ts';
import { environmentFilter } from '../http/lists/environment-filter.ts';
import type { Route } from '../http/route.ts';

export function merchantBillingDashboardRoute({ pool }: ApiContext, gate: MerchantGate): Route {
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
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'showMerchantDashboard',
  tag: 'Mirrors',
  summary: 'Counters of a merchant',
  description:
    'The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they filter by one; ' +
    'a key sees its own.',
  security: 'apiKeyOrPerson',
  path: z.object({ merchantId: z.string().meta({ example: exampleProduct.merchant_id }) }),
  query: z.object({ environment: z.enum(ENVIRONMENTS).optional() }),
  answers: {
    200: {
      description: 'The counters.',
      schema: billingDashboard,
      example: {
        merchant_id: exampleProduct.merchant_id,
        orders: 17,
        payments: 19,
        invoices: 17,
        subscriptions: 4,
        request_id: EXAMPLE_REQUEST_ID,
      },
    },
  },
  errors: [],
};
