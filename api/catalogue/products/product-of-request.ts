/** Shared by the routes of one product. */
import type { Request, Response } from 'express';
import type { ProductRef } from '../../../db/catalogue/products.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';

export const PRODUCTS = '/v1/merchants/:merchantId/products';
export const PRODUCT = `${PRODUCTS}/:productId`;

/** @throws ApiError 404 for an unknown or malformed id */
export function productOfRequest(request: Request, response: Response): ProductRef {
  const productId = pathId(request, 'productId', 'ap_prod_', 'product_not_found');
  return { merchantId: accessOf(response).merchantId, productId };
}
