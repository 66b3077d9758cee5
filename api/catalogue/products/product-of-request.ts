/** Shared by the routes of one product. */
import type { Request, Response } from 'express';
import type { ProductRef } from '../../../db/catalogue/products.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';

/** @throws ApiError 404 for an unknown or malformed id */
export function productOfRequest(request: Request, response: Response): ProductRef {
  const productId = pathId(request, 'productId');
  return { merchantId: accessOf(response).merchantId, productId };
}
