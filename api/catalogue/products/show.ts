/** GET /v1/merchants/:merchantId/products/:productId */
import type { RequestHandler } from 'express';
import { exampleProductAnswer, productAnswer } from '../../../contract/catalogue/products.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { findProduct } from '../../../db/catalogue/products.ts';
import { granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { PRODUCT, productOfRequest, productPath } from './product-of-request.ts';

export function showProductRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const { merchantId, productId } = productOfRequest(request, response);
    const product = await findProduct(pool, merchantId, productId);
    sendResource(response, 200, granted(product ?? 'product_not_found'));
  };
  return {
    method: 'get',
    path: PRODUCT,
    handlers: [...gate.allow('read', 'manage_catalogue'), show],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'showProduct',
  tag: 'Catalogue',
  summary: 'One product',
  description: 'The product with its active price, even if inactive.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: productPath,
  answers: { 200: { description: 'The product.', schema: productAnswer, example: exampleProductAnswer } },
  errors: ['product_not_found'],
};
