/**
 * GET /thanks and /sorry: where the hosted page sends the buyer. Anyone can open these addresses, so the page shows
 * whether a verified event has arrived.
 */
import type { RequestHandler } from 'express';
import type { ShopConfig } from '../core/config.ts';
import { customerOf } from '../core/customer-cookie.ts';
import { returnPage } from '../pages/return.ts';

export interface ReturnRoute {
  readonly config: ShopConfig;
  readonly outcome: 'success' | 'fail';
}

export function showReturn({ config, outcome }: ReturnRoute): RequestHandler {
  return (request, response) => {
    const { product, since } = request.query;
    response.send(
      returnPage({
        outcome,
        customer: customerOf(request, response),
        productId: (typeof product === 'string' && config.products[product]) || '',
        since:
          typeof since === 'string' && !Number.isNaN(Date.parse(since)) ? since : new Date().toISOString(),
      }),
    );
  };
}
