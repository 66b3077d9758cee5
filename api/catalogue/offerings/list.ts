/** GET /v1/merchants/:merchantId/offerings: the merchant's offerings with their plans, newest first. */
import { offeringList } from '../../../contract/catalogue/offerings.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { listOfferings } from '../../../db/catalogue/offerings.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listOfferingsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/offerings',
  allow: ['read', 'manage_catalogue'],
  describe,
  answer:
    (_request, { merchantId }) =>
    (batch) =>
      listOfferings(pool, merchantId, batch),
}));

const describe: OperationDescription = {
  operationId: 'listOfferings',
  tag: 'Catalogue',
  summary: 'The offerings of a merchant',
  description: 'All offerings, including inactive ones, newest first.',
  answers: { 200: { description: 'The offerings.', ...offeringList } },
};
