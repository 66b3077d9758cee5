/** GET /v1/billing/dashboard: counts of billing objects in the key's environment. */
import { exampleProduct } from '../../contract/catalogue/resources.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { billingDashboard } from '../../contract/merchant/billing-counters.ts';
import type { Pool } from '../../db/core/pool.ts';
import { countBilling } from '../../db/merchant/billing-counters.ts';
import type { Environment } from '../../domain/core/environment.ts';
import { keyRoute } from '../http/routes/gated-route.ts';

export const billingDashboardRoute = keyRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/billing/dashboard',
  describe,
  answer: (_request, { merchantId, environment }) => countersOf(pool, merchantId, [environment]),
}));

export async function countersOf(pool: Pool, merchantId: string, environments: readonly Environment[]) {
  const { subscriptions, ...counters } = await countBilling(pool, merchantId, environments);
  return { merchant_id: merchantId, ...counters, ...(subscriptions !== null && { subscriptions }) };
}

export const exampleCounters = {
  merchant_id: exampleProduct.merchant_id,
  orders: 17,
  payments: 19,
  invoices: 17,
  subscriptions: 4,
};

const describe: OperationDescription = {
  operationId: 'showBillingDashboard',
  tag: 'Billing',
  summary: 'Counters',
  description:
    'Counts of billing objects in the environment of the key. `subscriptions` is present only with the ' +
    'subscriptions capability.',
  answers: { 200: { description: 'The counters.', schema: billingDashboard, example: exampleCounters } },
};
