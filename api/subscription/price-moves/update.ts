/** PATCH /v1/merchants/:merchantId/price-moves/:priceMoveId: cancels a move. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  examplePriceMove,
  priceMoveAnswer,
  priceMoveChanges,
} from '../../../contract/subscription/price-moves.ts';
import { cancelPriceMove, findPriceMove } from '../../../db/catalogue/price-moves.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const updatePriceMoveRoute = merchantRoute(({ pool }) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId/price-moves/:priceMoveId',
  allow: ['manage_subscriptions'],
  describe,
  find: (request, caller) => findPriceMove(pool, caller, pathId(request, 'priceMoveId')),
  answer: (request, { merchantId, actor }) => {
    const id = pathId(request, 'priceMoveId');
    parseRequest(priceMoveChanges, request.body);
    return cancelPriceMove(pool, merchantId, id, actor);
  },
}));

const describe: OperationDescription = {
  operationId: 'updatePriceMove',
  tag: 'Catalogue',
  summary: 'Cancel a price move',
  description:
    'No more subscribers are moved, and `subscription.updated` reports it for each subscriber whose move was ' +
    'announced. Those already charged the new price keep it. Repeating the request changes nothing.',
  body: { schema: priceMoveChanges, example: { status: 'cancelled' }, required: true },
  answers: {
    200: {
      description: 'The cancelled move.',
      ...priceMoveAnswer,
      example: { ...examplePriceMove, status: 'cancelled', cancelled_at: '2026-02-01T09:30:00.000Z' },
    },
  },
  errors: ['price_move_not_found'],
};
