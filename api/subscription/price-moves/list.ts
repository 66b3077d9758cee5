/** GET /v1/merchants/:merchantId/price-moves: newest first, including cancelled ones. */
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { bothEnvironments } from '../../../contract/core/pagination.ts';
import { requiredText } from '../../../contract/core/text.ts';
import { examplePriceMove, priceMoveList } from '../../../contract/subscription/price-moves.ts';
import { listPriceMoves } from '../../../db/catalogue/price-moves.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

const query = bothEnvironments.extend({
  product_id: requiredText(200).optional().meta({ example: examplePriceMove.product_id }),
});

export const listPriceMovesRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/price-moves',
  allow: ['read'],
  describe,
  answer: (request, { merchantId }, response) => {
    const { product_id: productId = null } = parseRequest(query, request.query);
    const scope = { merchantId, environment: environmentFilter(request, response) };
    return (batch) => listPriceMoves(pool, scope, productId, batch);
  },
}));

const describe: OperationDescription = {
  operationId: 'listPriceMoves',
  tag: 'Catalogue',
  summary: 'The price moves of a merchant',
  description:
    'All price moves, including cancelled ones, newest first. A key sees those of its environment.',
  query,
  answers: { 200: { description: 'The moves.', ...priceMoveList } },
};
