/** GET /v1/merchants/:merchantId/search/products: paginated product search. */
import { z } from 'zod';
import { foundProductPage, searchProductsQuery } from '../../../contract/catalogue/search.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { searchProducts } from '../../../db/catalogue/search-products.ts';
import { pageAfter, positionId, readCursor } from '../../http/lists/cursor.ts';
import { parseRequest } from '../../http/request/parse-request.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';

const position = z.tuple([positionId]);

export const searchProductsRoute = merchantRoute(({ pool, readerPool = pool }) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/search/products',
  allow: ['read', 'manage_catalogue'],
  describe,
  answer: async (request, { merchantId, environment }) => {
    const { q, status, offering_id, storefront_client_id, billing_mode, cursor, limit } = parseRequest(
      searchProductsQuery,
      request.query,
    );
    const [after = null] = readCursor(cursor, position) ?? [];
    const rows = await searchProducts(readerPool, {
      merchantId,
      environment,
      q: q?.trim() || null,
      status: status ?? null,
      offeringId: offering_id ?? null,
      storefrontClientId: storefront_client_id ?? null,
      billingMode: billing_mode ?? null,
      after,
      limit: limit + 1,
    });
    return pageAfter(rows, limit, ({ id }) => [id]);
  },
}));

const describe: OperationDescription = {
  operationId: 'searchProducts',
  tag: 'Dashboard',
  summary: 'Search products',
  description: 'Newest first, paginated, each with its active price.',
  query: searchProductsQuery,
  answers: { 200: { description: 'A page.', ...foundProductPage } },
};
