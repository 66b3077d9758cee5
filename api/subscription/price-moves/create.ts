/** POST /v1/merchants/:merchantId/price-moves: moves all subscribers of a price to the one that replaced it. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  examplePriceMove,
  newPriceMove,
  priceMoveAnswer,
} from '../../../contract/subscription/price-moves.ts';
import { createPriceMove, findPriceMove } from '../../../db/catalogue/price-moves.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { createRoute } from '../../http/routes/keyed-route.ts';

export const createPriceMoveRoute = createRoute(({ pool }) => ({
  path: '/v1/merchants/:merchantId/price-moves',
  allow: ['manage_subscriptions'],
  describe,
  idPrefix: 'ap_pm_',
  find: (pool, merchantId, id) => findPriceMove(pool, { merchantId, environment: null }, id),
  create: async (request, { merchantId, actor }, id) => {
    const wanted = parseRequest(newPriceMove, request.body);
    return createPriceMove(pool, merchantId, wanted, actor, id);
  },
}));

const { environment, old_price_id, new_price_id, from } = examplePriceMove;

const describe: OperationDescription = {
  operationId: 'createPriceMove',
  tag: 'Catalogue',
  summary: 'Move subscribers to a new price',
  description:
    'Moves all subscribers of an inactive price, in one environment, to the active price of its product. ' +
    '`subscription.updated`, with the subscription’s `price_move`, announces it for each: at most 500 a minute. The ' +
    'new price is not charged before the notice period has passed, and no other operation is blocked: subscribers ' +
    'who cancel by then do not pay the new price. A price has at most one active move in each environment: a ' +
    'second one is 409.',
  idempotencyKey: 'optional',
  body: { schema: newPriceMove, example: { environment, old_price_id, new_price_id, from }, required: true },
  answers: {
    201: {
      description: 'The move.',
      ...priceMoveAnswer,
      links: [
        {
          operationId: 'updatePriceMove',
          parameters: { merchantId: '$response.body#/merchant_id', priceMoveId: '$response.body#/id' },
        },
      ],
    },
  },
  errors: ['price_not_found', 'price_move_incompatible', 'price_move_date_invalid', 'price_move_exists'],
};
