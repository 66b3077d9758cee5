/** POST /buy/:kind: creates a checkout session with the shop's API key and sends the buyer to the hosted page. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type CheckoutApi, CheckoutRefused } from '../core/checkout-api.ts';
import type { ShopConfig } from '../core/config.ts';
import { customerOf } from '../core/customer-cookie.ts';
import { problemPage } from '../pages/problem.ts';

export interface Till {
  readonly config: ShopConfig;
  readonly api: CheckoutApi;
  readonly logger: Logger;
}

export function buy({ config, api, logger }: Till): RequestHandler<{ kind: string }> {
  return async (request, response) => {
    const { kind } = request.params;
    const productId = Object.hasOwn(config.products, kind) && config.products[kind];
    if (!productId) return void response.status(404).send(problemPage('This product does not exist.'));
    const back = new URLSearchParams({ product: kind, since: new Date().toISOString() });
    try {
      const hostedUrl = await api.createCheckout({
        productId,
        externalCustomerId: customerOf(request, response),
        successUrl: `${config.publicUrl}/thanks?${back}`,
        failUrl: `${config.publicUrl}/sorry?${back}`,
        reconciliation: { merchantReference: `cart-${randomUUID()}` },
      });
      response.redirect(303, hostedUrl);
    } catch (error) {
      const refusal = error instanceof CheckoutRefused ? error : undefined;
      logger.warn({ code: refusal?.code, requestId: refusal?.requestId }, 'checkout creation failed');
      const why = refusal
        ? `The service answered ${refusal.code}: ${refusal.message}`
        : 'The service did not answer.';
      response.status(502).send(problemPage('The checkout could not be opened. Nothing was charged.', why));
    }
  };
}
