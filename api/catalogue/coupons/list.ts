/** GET /v1/merchants/:merchantId/coupons: newest first, including stopped ones. */

import { couponList } from '../../../contract/catalogue/coupons.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { bothEnvironments } from '../../../contract/core/pagination.ts';
import { listCoupons } from '../../../db/catalogue/coupons.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const listCouponsRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/coupons',
  allow: ['read'],
  describe,
  answer: (request, { merchantId }, response) => {
    const scope = { merchantId, environment: environmentFilter(request, response) };
    return (batch) => listCoupons(pool, scope, batch);
  },
}));

const describe: OperationDescription = {
  operationId: 'listCoupons',
  tag: 'Catalogue',
  summary: 'The coupons of a merchant',
  description: 'All coupons, including stopped ones, newest first. A key sees those of its environment.',
  query: bothEnvironments,
  answers: { 200: { description: 'The coupons.', ...couponList } },
};
