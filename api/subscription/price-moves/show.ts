/** GET /v1/merchants/:merchantId/price-moves/:priceMoveId: the progress of a move, and who is not moved. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { priceMoveDetailsAnswer } from '../../../contract/subscription/price-moves.ts';
import { findPriceMove } from '../../../db/catalogue/price-moves.ts';
import { reportPriceMove } from '../../../db/subscription/price-move-report.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const showPriceMoveRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/price-moves/:priceMoveId',
  allow: ['read'],
  describe,
  answer: async (request, caller) => {
    const move = await findPriceMove(pool, caller, pathId(request, 'priceMoveId'));
    return move ? { ...move, ...(await reportPriceMove(pool, move)) } : 'price_move_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'showPriceMove',
  tag: 'Catalogue',
  summary: 'Show a price move',
  description:
    'With counts of its subscribers, the new totals of ten of them, and the reasons why some are not moved. For a ' +
    'cancelled move, only the subscribers already moved.',
  answers: {
    200: { description: 'The move with its report.', ...priceMoveDetailsAnswer },
  },
  errors: ['price_move_not_found'],
};
