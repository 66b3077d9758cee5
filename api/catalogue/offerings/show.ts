/** GET /v1/merchants/:merchantId/offerings/:offeringId */
import { offeringAnswer } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { findOffering } from '../../../db/catalogue/offerings.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { offeringOfRequest } from './offering-of-request.ts';

export const showOfferingRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/offerings/:offeringId',
  allow: ['read', 'manage_catalogue'],
  describe,
  answer: async (request, _caller, response) => {
    return (await findOffering(pool, offeringOfRequest(request, response))) ?? 'offering_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'showOffering',
  tag: 'Catalogue',
  summary: 'One offering',
  description: 'The offering with its plans, even if inactive.',
  answers: { 200: { description: 'The offering.', ...offeringAnswer } },
  errors: ['offering_not_found'],
};
