/**
 * GET /v1/merchants/:merchantId/products/:productId/prices: every price of the product, past and present, newest
 * first.
 */
import { priceList } from '../../../contract/catalogue/prices.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { listPrices } from '../../../db/catalogue/prices.ts';
import { findProduct } from '../../../db/catalogue/products.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { productOfRequest } from '../products/product-of-request.ts';

export const listPricesRoute = merchantRoute(({ pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/products/:productId/prices',
  allow: ['read', 'manage_catalogue'],
  describe,
  answer: async (request, _caller, response) => {
    const ref = productOfRequest(request, response);
    if (!(await findProduct(pool, ref.merchantId, ref.productId))) return 'product_not_found';
    return (batch) => listPrices(pool, ref, batch);
  },
}));

const describe: OperationDescription = {
  operationId: 'listPrices',
  tag: 'Catalogue',
  summary: 'The prices of a product',
  description: 'Every price of the product, past and present, newest first; at most one is active.',
  answers: { 200: { description: 'The prices.', ...priceList } },
  errors: ['product_not_found'],
};
