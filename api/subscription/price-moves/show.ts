/** GET /v1/merchants/:merchantId/price-moves/:priceMoveId: the progress of a move, and who is not moved. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { priceMoveDetailsAnswer } from '../../../contract/subscription/price-moves.ts';
import { reportPriceMove } from '../../../db/subscription/price-move-report.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { priceMoveOfRequest } from './price-move-of-request.ts';

export const showPriceMoveRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/price-moves/:priceMoveId',
  allow: ['read'],
  describe,
  answer: async (request, _caller, response) => {
    const move = await priceMoveOfRequest(pool, request, response);
    const report = await reportPriceMove(pool, move);
    return { ...move, ...report };
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
