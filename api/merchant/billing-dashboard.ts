/**
 * GET /v1/billing/dashboard: counts of billing objects in the key's environment; and its mirror
 * GET /v1/merchants/:merchantId/billing/dashboard, which sums both for people who do not filter.
 */
import { exampleProduct } from '../../contract/catalogue/resources.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { bothEnvironments } from '../../contract/core/pagination.ts';
import { billingDashboard } from '../../contract/merchant/billing-counters.ts';
import type { Pool } from '../../db/core/pool.ts';
import { countBilling } from '../../db/merchant/billing-counters.ts';
import { ENVIRONMENTS, type Environment } from '../../domain/core/environment.ts';
import { environmentFilter } from '../http/lists/environment-filter.ts';
import { keyRoute, merchantRoute } from '../http/routes/gated-route.ts';

export const billingDashboardRoute = keyRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/billing/dashboard',
  describe,
  answer: (_request, { merchantId, environment }) => countersOf(pool, merchantId, [environment]),
}));

export const merchantBillingDashboardRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/billing/dashboard',
  allow: ['read'],
  describe: {
    ...describe,
    operationId: 'showMerchantDashboard',
    tag: 'Mirrors',
    summary: 'Counters of a merchant',
    description:
      'The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they filter by one; ' +
      'a key sees its own.',
    query: bothEnvironments,
  },
  answer: (request, { merchantId }, response) => {
    const asked = environmentFilter(request, response);
    return countersOf(pool, merchantId, asked === null ? ENVIRONMENTS : [asked]);
  },
}));

async function countersOf(pool: Pool, merchantId: string, environments: readonly Environment[]) {
  const { subscriptions, ...counters } = await countBilling(pool, merchantId, environments);
  return { merchant_id: merchantId, ...counters, ...(subscriptions !== null && { subscriptions }) };
}

const exampleCounters = {
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
