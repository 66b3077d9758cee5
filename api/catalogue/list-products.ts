/** GET /v1/products: the merchant's catalogue, each product with its active price. */
import { exampleProduct, product } from '../../contract/catalogue/resources.ts';
import { listProducts } from '../../db/catalogue/list-products.ts';
import { listRoute } from '../http/routes/list-route.ts';

export const listProductsRoute = listRoute(
  '/v1/products',
  () => listProducts,
  {
    operationId: 'listProducts',
    summary: 'All products',
    description:
      'The catalogue, which serves both environments: each product with its active price, including inactive products.',
    resource: product,
    example: exampleProduct,
  },
  true,
);
