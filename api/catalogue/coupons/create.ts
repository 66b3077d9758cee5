/** POST /v1/merchants/:merchantId/coupons: a code that takes something off a price. */
import type { RequestHandler } from 'express';
import { couponAnswer, exampleCoupon, newCoupon } from '../../../contract/catalogue/coupons.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { merchantIdPath } from '../../../contract/core/pages.ts';
import { createCoupon } from '../../../db/catalogue/coupons.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { refuseUnknownFields } from '../../http/request/refuse-unknown-fields.ts';
import type { Route } from '../../http/route.ts';
import { COUPONS } from './coupon-of-request.ts';

export function createCouponRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const create: RequestHandler = async (request, response) => {
    const fields = parseFields(newCoupon, request.body, 'coupon');
    const { merchantId } = accessOf(response);
    sendResource(response, 201, granted(await createCoupon(pool, merchantId, fields, actorOf(response))));
  };
  const known = refuseUnknownFields(describe, async () => true);
  return {
    method: 'post',
    path: COUPONS,
    handlers: [...administering(gate, 'manage_coupons'), known, create],
    describe,
  };
}

const { environment, code, percent, duration, periods, product_ids, valid_until } = exampleCoupon;

const describe: OperationDescription = {
  operationId: 'createCoupon',
  tag: 'Catalogue',
  summary: 'Create a coupon',
  description:
    'Of one environment. Its terms never change, because subscriptions keep them: stop it and create another. A ' +
    'stopped coupon frees its code.',
  security: 'person',
  path: merchantIdPath,
  body: {
    schema: newCoupon,
    example: { environment, code, percent, duration, periods, product_ids, valid_until },
    required: true,
  },
  answers: {
    201: {
      description: 'The coupon.',
      schema: couponAnswer,
      example: { ...exampleCoupon, redemptions: 0 },
      links: [
        {
          operationId: 'updateCoupon',
          parameters: { merchantId: '$response.body#/merchant_id', couponId: '$response.body#/id' },
        },
      ],
    },
  },
  errors: ['unknown_field', 'product_not_found', 'coupon_code_taken'],
};
