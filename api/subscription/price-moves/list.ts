/** GET /v1/merchants/:merchantId/price-moves: newest first, including cancelled ones. */
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { requiredText } from '../../../contract/core/text.ts';
import { examplePriceMove, priceMoveList } from '../../../contract/subscription/price-moves.ts';
import { listPriceMoves } from '../../../db/catalogue/price-moves.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { PRICE_MOVES } from './price-move-of-request.ts';

const query = z.object({
  environment: z.enum(ENVIRONMENTS).optional().meta({ description: 'If absent, both; for a key, its own.' }),
  product_id: requiredText(200).optional().meta({ example: examplePriceMove.product_id }),
});

export const listPriceMovesRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: PRICE_MOVES,
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
  description: 'All of them, newest first, including cancelled ones. A key sees those of its environment.',
  query,
  answers: {
    200: { description: 'The moves.', schema: priceMoveList, example: { data: [examplePriceMove] } },
  },
};
