/** GET /v1/merchants/:merchantId/price-moves: newest first, including cancelled ones. */
import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { merchantIdPath } from '../../../contract/core/pages.ts';
import { requiredText } from '../../../contract/core/text.ts';
import { examplePriceMove, priceMoveList } from '../../../contract/subscription/price-moves.ts';
import { listPriceMoves } from '../../../db/catalogue/price-moves.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf } from '../../http/exchange.ts';
import { environmentFilter } from '../../http/lists/environment-filter.ts';
import { sendList } from '../../http/lists/list-route.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import type { Route } from '../../http/route.ts';
import { PRICE_MOVES } from './price-move-of-request.ts';

const query = z.object({
  environment: z.enum(ENVIRONMENTS).optional().meta({ description: 'If absent, both; for a key, its own.' }),
  product_id: requiredText(200).optional().meta({ example: examplePriceMove.product_id }),
});

export function listPriceMovesRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const { product_id: productId = null } = parseRequest(query, request.query);
    const { merchantId } = accessOf(response);
    const scope = { merchantId, environment: environmentFilter(request, response) };
    await sendList(response, (batch) => listPriceMoves(pool, scope, productId, batch));
  };
  return { method: 'get', path: PRICE_MOVES, handlers: [...gate.read, list], describe };
}

const { request_id, ...inList } = examplePriceMove;

const describe: OperationDescription = {
  operationId: 'listPriceMoves',
  tag: 'Catalogue',
  summary: 'The price moves of a merchant',
  description: 'All of them, newest first, including cancelled ones. A key sees those of its environment.',
  security: 'apiKeyOrPerson',
  path: merchantIdPath,
  query,
  answers: {
    200: { description: 'The moves.', schema: priceMoveList, example: { data: [inList], request_id } },
  },
  errors: ['invalid_request'],
};
