/** GET /v1/merchants/:merchantId/coupons: newest first, including stopped ones. */
import type { RequestHandler } from 'express';
import { couponList, exampleCoupon } from '../../../contract/catalogue/coupons.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { merchantIdPath } from '../../../contract/core/pages.ts';
import { listCoupons } from '../../../db/catalogue/coupons.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf } from '../../http/exchange.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { sendList } from '../../http/lists/list-route.ts';
import type { Route } from '../../http/route.ts';
import { COUPONS, couponsQuery } from './coupon-of-request.ts';

export function listCouponsRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { merchantId } = accessOf(response);
    const scope = { merchantId, environment: environmentFilter(request, response) };
    await sendList(response, (batch) => listCoupons(pool, scope, batch));
  };
  return { method: 'get', path: COUPONS, handlers: [...gate.read, list], describe };
}

const { request_id, ...inList } = exampleCoupon;

const describe: OperationDescription = {
  operationId: 'listCoupons',
  tag: 'Catalogue',
  summary: 'The coupons of a merchant',
  description: 'All of them, newest first, including stopped ones. A key sees those of its environment.',
  security: 'apiKeyOrPerson',
  path: merchantIdPath,
  query: couponsQuery,
  answers: {
    200: { description: 'The coupons.', schema: couponList, example: { data: [inList], request_id } },
  },
  errors: [],
};
