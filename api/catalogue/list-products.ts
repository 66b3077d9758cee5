/** GET /v1/products: the merchant's catalogue, each product with its active price. */
import { exampleProduct, product } from '../../contract/catalogue/resources.ts';
import { listOperation } from '../../contract/core/list-operation.ts';
import { listProducts } from '../../db/catalogue/list-products.ts';
import type { ApiContext } from '../http/context.ts';
import { listRoute } from '../http/lists/list-route.ts';
import type { Route } from '../http/route.ts';

export function listProductsRoute(context: ApiContext): Route {
  return { ...listRoute(context, '/v1/products', listProducts, true), describe };
}

const describe = {
  ...listOperation({
    operationId: 'listProducts',
    summary: 'All products',
    description:
      'The catalogue, which serves both environments: each product with its active price, including inactive products.',
    resource: product,
    example: exampleProduct,
  }),
  catalogue: true,
} as const;
