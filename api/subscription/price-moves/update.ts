/** PATCH /v1/merchants/:merchantId/price-moves/:priceMoveId: cancels it. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  examplePriceMove,
  priceMoveAnswer,
  priceMoveChanges,
} from '../../../contract/subscription/price-moves.ts';
import { cancelPriceMove } from '../../../db/catalogue/price-moves.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { refuseUnknownFields } from '../../http/request/refuse-unknown-fields.ts';
import type { Route } from '../../http/route.ts';
import { PRICE_MOVES, priceMoveIdOf, priceMoveOfRequest, priceMovePath } from './price-move-of-request.ts';

export function updatePriceMoveRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const cancel: RequestHandler = async (request, response) => {
    const id = priceMoveIdOf(request);
    parseRequest(priceMoveChanges, request.body);
    const { merchantId } = accessOf(response);
    sendResource(response, 200, granted(await cancelPriceMove(pool, merchantId, id, actorOf(response))));
  };
  const known = refuseUnknownFields(describe, (...of) => priceMoveOfRequest(pool, ...of));
  return {
    method: 'patch',
    path: `${PRICE_MOVES}/:priceMoveId`,
    handlers: [...administering(gate, 'manage_subscriptions'), known, cancel],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'updatePriceMove',
  tag: 'Catalogue',
  summary: 'Cancel a price move',
  description:
    'Nobody is moved any more, and `subscription.updated` reports it for each subscriber who knows of it. Who has been ' +
    'charged the new price keeps it. Repeating the request changes nothing.',
  security: 'person',
  path: priceMovePath,
  body: { schema: priceMoveChanges, example: { status: 'cancelled' }, required: true },
  answers: {
    200: {
      description: 'The cancelled move.',
      schema: priceMoveAnswer,
      example: { ...examplePriceMove, status: 'cancelled', cancelled_at: '2026-02-01T09:30:00.000Z' },
    },
  },
  errors: ['invalid_request', 'unknown_field', 'price_move_not_found'],
};
