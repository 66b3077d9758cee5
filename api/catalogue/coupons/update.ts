/** PATCH /v1/merchants/:merchantId/coupons/:couponId: stops a coupon for good. */
import { couponAnswer, couponChanges, exampleCoupon } from '../../../contract/catalogue/coupons.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { findCoupon, stopCoupon } from '../../../db/catalogue/coupons.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const updateCouponRoute = merchantRoute(({ pool }) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId/coupons/:couponId',
  allow: ['manage_coupons'],
  describe,
  find: (request, { merchantId }) => findCoupon(pool, merchantId, pathId(request, 'couponId')),
  answer: (request, { merchantId, actor }) => {
    const couponId = pathId(request, 'couponId');
    parseFields(couponChanges, request.body, 'coupon');
    return stopCoupon(pool, merchantId, couponId, actor);
  },
}));

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
      ...couponAnswer,
      example: { ...exampleCoupon, status: 'stopped' },
    },
  },
  errors: ['coupon_not_found'],
};
