/**
 * GET /v1/merchants/:merchantId/rail-accounts: the merchant's current and former accounts, newest first; never a
 * credential.
 */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { bothEnvironments } from '../../../contract/core/pagination.ts';
import { railAccountListAnswer } from '../../../contract/merchant/rail-accounts.ts';
import { listRailAccounts } from '../../../db/merchant/rail-accounts.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listRailAccountsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/rail-accounts',
  allow: ['read'],
  describe,
  answer: async (request, { merchantId }, response) => {
    const data = await listRailAccounts(pool, merchantId, environmentFilter(request, response));
    return { data };
  },
}));

const describe: OperationDescription = {
  operationId: 'listRailAccounts',
  tag: 'Rail accounts',
  summary: 'The merchant’s rail accounts',
  description:
    'Current and former accounts, newest first, with their capabilities. Each environment has one active account. ' +
    'Credentials are never returned.',
  query: bothEnvironments,
  answers: { 200: { description: 'The accounts.', ...railAccountListAnswer } },
};
