/**
 * GET /v1/merchants/:merchantId/billing/dashboard: the counters of one environment or, for people who do not filter,
 * of both.
 */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { bothEnvironments } from '../../contract/core/pagination.ts';
import { billingDashboard } from '../../contract/merchant/billing-counters.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { environmentFilter } from '../http/lists/environment-filter.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';
import { countersOf, exampleCounters } from './billing-dashboard.ts';

export const merchantBillingDashboardRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/billing/dashboard',
  allow: ['read'],
  describe,
  answer: async (request, { merchantId }, response) => {
    const asked = environmentFilter(request, response);
    const environments = ENVIRONMENTS.filter((environment) => asked === null || environment === asked);
    return countersOf(pool, merchantId, environments);
  },
}));

const describe: OperationDescription = {
  operationId: 'showMerchantDashboard',
  tag: 'Mirrors',
  summary: 'Counters of a merchant',
  description:
    'The counters of `GET /v1/billing/dashboard`. A person sees the sum of both environments unless they filter by one; ' +
    'a key sees its own.',
  query: bothEnvironments,
  answers: {
    200: { description: 'The counters.', schema: billingDashboard, example: exampleCounters },
  },
};
