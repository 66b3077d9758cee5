/** GET /v1/merchants/:merchantId/price-moves/preview: subscribers that a move would reach, and what they would pay. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { newPriceMove, priceMoveReportAnswer } from '../../../contract/subscription/price-moves.ts';
import { checkPriceMove } from '../../../db/catalogue/price-moves.ts';
import { reportPriceMove } from '../../../db/subscription/price-move-report.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { granted } from '../../http/resource.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

export const previewPriceMoveRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/price-moves/preview',
  allow: ['read'],
  describe,
  answer: async (request, { merchantId }, response) => {
    environmentFilter(request, response);
    const wanted = parseRequest(newPriceMove, request.query);
    const move = granted(await checkPriceMove(pool, merchantId, wanted));
    return reportPriceMove(pool, move);
  },
}));

const describe: OperationDescription = {
  operationId: 'previewPriceMove',
  tag: 'Catalogue',
  summary: 'Preview a price move',
  description: 'The subscribers that it would reach, and the new totals of ten of them. Nothing changes.',
  query: newPriceMove,
  answers: { 200: { description: 'The report.', ...priceMoveReportAnswer } },
  errors: ['price_not_found', 'price_move_incompatible', 'price_move_date_invalid'],
};
