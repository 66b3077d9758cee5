/** POST /v1/merchants/:merchantId/coupons: creates a discount code. */
import { couponAnswer, exampleCoupon, newCoupon } from '../../../contract/catalogue/coupons.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createCoupon, findCoupon } from '../../../db/catalogue/coupons.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { createRoute } from '../../http/routes/keyed-route.ts';

export const createCouponRoute = createRoute(({ pool }) => ({
  path: '/v1/merchants/:merchantId/coupons',
  allow: ['manage_coupons'],
  describe,
  idPrefix: 'ap_cpn_',
  find: findCoupon,
  create: async (request, { merchantId, actor }, id) => {
    const fields = parseFields(newCoupon, request.body, 'coupon');
    return createCoupon(pool, merchantId, fields, actor, id);
  },
}));

const { environment, code, percent, duration, periods, product_ids, valid_until } = exampleCoupon;

const describe: OperationDescription = {
  operationId: 'createCoupon',
  tag: 'Catalogue',
  summary: 'Create a coupon',
  description:
    'A coupon belongs to one environment. Its terms never change, because subscriptions keep them: to change them, ' +
    'stop it and create another. Stopping a coupon frees its code.',
  idempotencyKey: 'optional',
  body: {
    schema: newCoupon,
    example: { environment, code, percent, duration, periods, product_ids, valid_until },
    required: true,
  },
  answers: {
    201: {
      description: 'The coupon.',
      ...couponAnswer,
      example: { ...exampleCoupon, redemptions: 0 },
      links: [
        {
          operationId: 'updateCoupon',
          parameters: { merchantId: '$response.body#/merchant_id', couponId: '$response.body#/id' },
        },
      ],
    },
  },
  errors: ['product_not_found', 'coupon_code_taken'],
};
