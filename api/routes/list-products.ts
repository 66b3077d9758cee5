/** GET /v1/products: the merchant's catalogue, each product with its active price. */
import { listProducts } from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

export function listProductsRoute(context: ApiContext): Route {
  return listRoute(context, '/v1/products', listProducts);
}
