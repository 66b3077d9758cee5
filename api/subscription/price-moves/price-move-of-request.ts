/** Shared by the routes of price moves. */
import type { Request, Response } from 'express';
import type { PriceMove } from '../../../contract/subscription/price-moves.ts';
import { findPriceMove } from '../../../db/catalogue/price-moves.ts';
import type { Pool } from '../../../db/core/pool.ts';
import { ApiError } from '../../http/errors.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';

/** @throws ApiError 404 if the move is not the merchant's, or not in the key's environment */
export async function priceMoveOfRequest(
  pool: Pool,
  request: Request,
  response: Response,
): Promise<PriceMove> {
  const found = await findPriceMove(pool, accessOf(response), pathId(request, 'priceMoveId'));
  if (!found) throw new ApiError('price_move_not_found');
  return found;
}
