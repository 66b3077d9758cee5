/** The documentation of the routes in `checkout-clients.ts`. */
import { z } from 'zod';
import { exampleProduct } from '../../contract/catalogue/resources.ts';
import type { DescribedOperation } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { checkoutSession, exampleCheckout } from '../../contract/session/checkout.ts';
import {
  storefrontConfig,
  storefrontPath,
  storefrontSessionRequest,
} from '../../contract/session/checkout-clients.ts';

/** Only the storefront's own pages may read the response. */
const corsHeaders = z.object({
  'Access-Control-Allow-Origin': z.string().meta({ example: 'https://shop.example' }),
  Vary: z.string().meta({ example: 'Origin' }),
});

export const creatingSession: DescribedOperation = {
  operationId: 'createStorefrontSession',
  tag: 'Checkouts',
  summary: 'Create a checkout session from a browser',
  description:
    'For storefronts without a server. The public identifier and the exact `Origin` authorize it, and ' +
    'only this: never send an API key from a browser. The price, `successUrl` and `failUrl` come from the ' +
    'service; each session gets its own customer. Whoever knows an `Idempotency-Key` gets its session: generate a new one for each buyer with `crypto.randomUUID()`, and reuse it for retries; a product, a cart number or a time can be guessed.',
  security: 'storefront',
  idempotencyKey: 'required',
  failureCode: 'checkout_failed',
  path: storefrontPath,
  body: { schema: storefrontSessionRequest, example: { productReference: 'coffee-monthly' }, required: true },
  answers: {
    201: {
      description: "The session. Send the buyer's browser to `hostedUrl`.",
      schema: checkoutSession,
      example: exampleCheckout,
      headers: withFlowId.extend(corsHeaders.shape),
    },
  },
  errors: [
    'checkout_productReference_required',
    'checkout_productReference_invalid',
    'product_not_found',
    'merchant_feature_not_enabled',
    'recurring_price_interval_missing',
    'payment_rail_activation_in_progress',
    'payment_rail_unavailable',
  ],
};

export const showingConfig: DescribedOperation = {
  operationId: 'showStorefrontConfig',
  tag: 'Checkouts',
  summary: 'Branding and products of a storefront',
  description: 'Branding, and the products and prices that the client may sell.',
  security: 'storefront',
  path: storefrontPath,
  answers: {
    200: {
      description: 'Branding and products.',
      schema: storefrontConfig,
      example: {
        branding: { name: 'Coffee North', logo_url: null, color: '#7a4a21', language: 'en' },
        products: [
          {
            id: exampleProduct.id,
            external_reference: exampleProduct.external_reference,
            name: exampleProduct.name,
            description: exampleProduct.description,
            active_price: exampleProduct.active_price,
          },
        ],
      },
      headers: corsHeaders,
    },
  },
};

/** @param operationId of the operation that follows the preflight */
export function preflightOf(operationId: string): DescribedOperation {
  return {
    operationId: `${operationId}Preflight`,
    tag: 'Checkouts',
    summary: 'CORS preflight',
    description: `Sent by browsers before \`${operationId}\`.`,
    security: 'preflight',
    path: storefrontPath,
    answers: {
      204: {
        description: 'The browser may send the request.',
        headers: corsHeaders.extend({
          'Access-Control-Allow-Methods': z.string(),
          'Access-Control-Allow-Headers': z.string(),
        }),
      },
    },
  };
}
