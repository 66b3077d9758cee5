/** GET /: the products. Names and prices come from the service, so the shop shows what is charged. */
import type { RequestHandler } from 'express';
import type { CheckoutApi } from '../core/checkout-api.ts';
import type { ShopConfig } from '../core/config.ts';
import { storefrontPage } from '../pages/storefront.ts';

export function showStorefront({ config, api }: { config: ShopConfig; api: CheckoutApi }): RequestHandler {
  return async (_request, response) => {
    const products = await api.products().catch(() => []);
    const shelf = Object.entries(config.products).flatMap(([kind, productId]) => {
      const product = products.find(({ id }) => id === productId);
      return product?.active_price ? [{ kind, product, price: product.active_price }] : [];
    });
    response.status(shelf.length > 0 ? 200 : 503).send(await storefrontPage(shelf));
  };
}
