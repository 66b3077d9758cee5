/**
 * GET /v1/merchants/:merchantId/rail-accounts: the merchant's current and former accounts, newest first; never a
 * credential.
 */
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleRailAccount, railAccountListAnswer } from '../../../contract/merchant/rail-accounts.ts';
import { listRailAccounts } from '../../../db/merchant/rail-accounts.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { RAIL_ACCOUNTS } from './probed-account.ts';

export const listRailAccountsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: RAIL_ACCOUNTS,
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
  query: z.object({ environment: z.enum(ENVIRONMENTS).optional() }),
  answers: {
    200: {
      description: 'The accounts.',
      schema: railAccountListAnswer,
      example: { data: [exampleRailAccount] },
    },
  },
};
