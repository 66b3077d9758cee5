/** PATCH /v1/merchants/:merchantId/coupons/:couponId: stops a coupon for good. */
import type { Request } from 'express';
import { couponAnswer, couponChanges, exampleCoupon } from '../../../contract/catalogue/coupons.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { findCoupon, stopCoupon } from '../../../db/catalogue/coupons.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { COUPONS } from './coupon-of-request.ts';

export const updateCouponRoute = merchantRoute(({ pool }) => ({
  method: 'patch',
  path: `${COUPONS}/:couponId`,
  allow: ['manage_coupons'],
  describe,
  find: (request, { merchantId }) => findCoupon(pool, merchantId, couponOf(request)),
  answer: (request, { merchantId, actor }) => {
    const couponId = couponOf(request);
    parseFields(couponChanges, request.body, 'coupon');
    return stopCoupon(pool, merchantId, couponId, actor);
  },
}));

const couponOf = (request: Request) => pathId(request, 'couponId', 'ap_cpn_', 'coupon_not_found');

const describe: OperationDescription = {
  operationId: 'updateCoupon',
  tag: 'Catalogue',
  summary: 'Stop a coupon',
  description:
    'A stopped coupon can no longer be redeemed, and cannot be restarted. Subscriptions that have it keep it. ' +
    'Repeating the request changes nothing.',
  body: { schema: couponChanges, example: { status: 'stopped' }, required: true },
  answers: {
    200: {
      description: 'The stopped coupon.',
      schema: couponAnswer,
      example: { ...exampleCoupon, status: 'stopped' },
    },
  },
  errors: ['coupon_not_found'],
};
