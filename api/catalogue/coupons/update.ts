/** PATCH /v1/merchants/:merchantId/coupons/:couponId: stops it. */
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { couponAnswer, couponChanges, exampleCoupon } from '../../../contract/catalogue/coupons.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { merchantIdPath } from '../../../contract/core/pages.ts';
import { findCoupon, stopCoupon } from '../../../db/catalogue/coupons.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { pathId } from '../../http/request/path-id.ts';
import { refuseUnknownFields } from '../../http/request/refuse-unknown-fields.ts';
import type { Route } from '../../http/route.ts';
import { COUPONS } from './coupon-of-request.ts';

export function updateCouponRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const stop: RequestHandler = async (request, response) => {
    const couponId = couponOf(request);
    parseFields(couponChanges, request.body, 'coupon');
    const { merchantId } = accessOf(response);
    sendResource(response, 200, granted(await stopCoupon(pool, merchantId, couponId, actorOf(response))));
  };
  const known = refuseUnknownFields(describe, (request, response) =>
    findCoupon(pool, accessOf(response).merchantId, couponOf(request)),
  );
  return {
    method: 'patch',
    path: `${COUPONS}/:couponId`,
    handlers: [...administering(gate, 'manage_coupons'), known, stop],
    describe,
  };
}

const couponOf = (request: Request) => pathId(request, 'couponId', 'ap_cpn_', 'coupon_not_found');

const describe: OperationDescription = {
  operationId: 'updateCoupon',
  tag: 'Catalogue',
  summary: 'Stop a coupon',
  description:
    'It can no longer be redeemed, and cannot be started again. Subscriptions that have it keep it. Repeating the ' +
    'request changes nothing.',
  security: 'person',
  path: merchantIdPath.extend({ couponId: z.string().meta({ example: exampleCoupon.id }) }),
  body: { schema: couponChanges, example: { status: 'stopped' }, required: true },
  answers: {
    200: {
      description: 'The stopped coupon.',
      schema: couponAnswer,
      example: { ...exampleCoupon, status: 'stopped' },
    },
  },
  errors: ['unknown_field', 'coupon_not_found'],
};
