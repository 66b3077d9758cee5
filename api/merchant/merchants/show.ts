/** GET /v1/merchants/:merchantId */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { merchantAnswer } from '../../../contract/merchant/merchants.ts';
import { findMerchant } from '../../../db/merchant/merchants.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const showMerchantRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId',
  allow: ['read'],
  describe,
  answer: async (_request, { merchantId }) => (await findMerchant(pool, merchantId)) ?? 'merchant_not_found',
}));

const describe: OperationDescription = {
  operationId: 'showMerchant',
  tag: 'Merchants',
  summary: 'One merchant',
  description: 'Name, status, capabilities, branding and legal identity.',
  answers: { 200: { description: 'The merchant.', ...merchantAnswer } },
};
