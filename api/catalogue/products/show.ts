/** GET /v1/merchants/:merchantId/products/:productId */
import { productAnswer } from '../../../contract/catalogue/products.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { findProduct } from '../../../db/catalogue/products.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { productOfRequest } from './product-of-request.ts';

export const showProductRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/products/:productId',
  allow: ['read', 'manage_catalogue'],
  describe,
  answer: async (request, _caller, response) => {
    const { merchantId, productId } = productOfRequest(request, response);
    return (await findProduct(pool, merchantId, productId)) ?? 'product_not_found';
  },
}));

const describe: OperationDescription = {
  operationId: 'showProduct',
  tag: 'Catalogue',
  summary: 'One product',
  description: 'The product with its active price, even if inactive.',
  answers: { 200: { description: 'The product.', ...productAnswer } },
  errors: ['product_not_found'],
};
