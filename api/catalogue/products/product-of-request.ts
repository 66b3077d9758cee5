/** Shared by the routes of one product. */
import type { Request, Response } from 'express';
import { z } from 'zod';
import { exampleProduct } from '../../../contract/catalogue/resources.ts';
import type { ProductRef } from '../../../db/catalogue/products.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';

export const PRODUCTS = '/v1/merchants/:merchantId/products';
export const PRODUCT = `${PRODUCTS}/:productId`;

export const productsPath = z.object({
  merchantId: z.string().meta({ example: exampleProduct.merchant_id }),
});
export const productPath = productsPath.extend({
  productId: z.string().meta({ example: exampleProduct.id }),
});

/** @throws ApiError 404 for an unknown or malformed id */
export function productOfRequest(request: Request, response: Response): ProductRef {
  const productId = pathId(request, 'productId', 'ap_prod_', 'product_not_found');
  return { merchantId: accessOf(response).merchantId, productId };
}
