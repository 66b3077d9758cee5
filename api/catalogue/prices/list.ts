/**
 * GET /v1/merchants/:merchantId/products/:productId/prices: every price of the product, past and present, newest
 * first.
 */
import type { RequestHandler } from 'express';
import { priceList } from '../../../contract/catalogue/prices.ts';
import { examplePrice } from '../../../contract/catalogue/resources.ts';
import { exampleList } from '../../../contract/core/examples.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { listPrices } from '../../../db/catalogue/prices.ts';
import { findProduct } from '../../../db/catalogue/products.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { sendList } from '../../http/lists/list-route.ts';
import type { Route } from '../../http/route.ts';
import { productOfRequest, productPath } from '../products/product-of-request.ts';
import { PRICES } from './price-of-request.ts';

export function listPricesRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const list: RequestHandler = async (request, response) => {
    const ref = productOfRequest(request, response);
    if (!(await findProduct(pool, ref.merchantId, ref.productId))) throw new ApiError('product_not_found');
    await sendList(response, (batch) => listPrices(pool, ref, batch));
  };
  return {
    method: 'get',
    path: PRICES,
    handlers: [...gate.allow('read', 'manage_catalogue'), list],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'listPrices',
  tag: 'Catalogue',
  summary: 'The prices of a product',
  description: 'Every price of the product, past and present, newest first; at most one is active.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: productPath,
  answers: {
    200: { description: 'The prices.', schema: priceList, example: exampleList(examplePrice) },
  },
  errors: ['product_not_found'],
};
