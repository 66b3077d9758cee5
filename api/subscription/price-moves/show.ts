/** GET /v1/merchants/:merchantId/price-moves/:priceMoveId: how far it is, and who is not moved. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import {
  examplePriceMove,
  exampleReport,
  priceMoveDetailsAnswer,
} from '../../../contract/subscription/price-moves.ts';
import { reportPriceMove } from '../../../db/subscription/price-move-report.ts';
import { sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { PRICE_MOVES, priceMoveOfRequest, priceMovePath } from './price-move-of-request.ts';

export function showPriceMoveRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const move = await priceMoveOfRequest(pool, request, response);
    const report = await reportPriceMove(pool, move);
    sendResource(response, 200, { ...move, ...report });
  };
  return { method: 'get', path: `${PRICE_MOVES}/:priceMoveId`, handlers: [...gate.read, show], describe };
}

const describe: OperationDescription = {
  operationId: 'showPriceMove',
  tag: 'Catalogue',
  summary: 'Show a price move',
  description:
    'With counts of its subscribers, what ten of them will pay, and who is not moved and why. Of a cancelled one, only who ' +
    'has moved.',
  security: 'apiKeyOrPerson',
  path: priceMovePath,
  answers: {
    200: {
      description: 'The move with its report.',
      schema: priceMoveDetailsAnswer,
      example: { ...examplePriceMove, ...exampleReport },
    },
  },
  errors: ['price_move_not_found'],
};
