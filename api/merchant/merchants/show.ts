/** GET /v1/merchants/:merchantId */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { exampleMerchantAnswer, merchantAnswer } from '../../../contract/merchant/merchants.ts';
import { findMerchant } from '../../../db/merchant/merchants.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import { MERCHANT, merchantPath, sendMerchant } from '../core/merchant-of-request.ts';

export function showMerchantRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (_request, response) => {
    sendMerchant(response, await findMerchant(pool, accessOf(response).merchantId));
  };
  return { method: 'get', path: MERCHANT, handlers: [...gate.read, show], describe };
}

const describe: OperationDescription = {
  operationId: 'showMerchant',
  tag: 'Merchants',
  summary: 'One merchant',
  description: 'Name, status, capabilities, branding and legal identity.',
  security: 'apiKeyOrPerson',
  path: merchantPath,
  answers: {
    200: { description: 'The merchant.', schema: merchantAnswer, example: exampleMerchantAnswer },
  },
  errors: [],
};
