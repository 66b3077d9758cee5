/**
 * GET /v1/merchants/:merchantId/rail-accounts: the merchant's current and former accounts, newest first; never a
 * credential.
 */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { EXAMPLE_REQUEST_ID } from '../../../contract/core/answers.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleRailAccount, railAccountListAnswer } from '../../../contract/merchant/rail-accounts.ts';
import { listRailAccounts } from '../../../db/merchant/rail-accounts.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, exchangeOf } from '../../http/exchange.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import type { Route } from '../../http/route.ts';
import { merchantPath } from '../core/merchant-of-request.ts';
import { RAIL_ACCOUNTS } from './probed-account.ts';

export function listRailAccountsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { merchantId } = accessOf(response);
    const data = await listRailAccounts(pool, merchantId, environmentFilter(request, response));
    response.json({ data, request_id: exchangeOf(response).requestId });
  };
  return { method: 'get', path: RAIL_ACCOUNTS, handlers: [...gate.read, list], describe };
}

const describe: OperationDescription = {
  operationId: 'listRailAccounts',
  tag: 'Rail accounts',
  summary: 'The merchant’s rail accounts',
  description:
    'Current and former accounts, newest first, with their capabilities. Each environment has one active account. ' +
    'Credentials are never returned.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  query: z.object({ environment: z.enum(ENVIRONMENTS).optional() }),
  answers: {
    200: {
      description: 'The accounts.',
      schema: railAccountListAnswer,
      example: { data: [exampleRailAccount], request_id: EXAMPLE_REQUEST_ID },
    },
  },
  errors: [],
};
