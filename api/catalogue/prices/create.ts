/** POST /v1/merchants/:merchantId/products/:productId/prices: new terms. By default they replace the active price. */
import { newPrice, priceAnswer, refusalOfTerms } from '../../../contract/catalogue/prices.ts';
import { examplePrice } from '../../../contract/catalogue/resources.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createPrice, findOwnPrice } from '../../../db/catalogue/prices.ts';
import { ApiError } from '../../http/errors.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { createRoute } from '../../http/routes/keyed-route.ts';
import { productOfRequest } from '../products/product-of-request.ts';

export const createPriceRoute = createRoute(({ pool }) => ({
  path: '/v1/merchants/:merchantId/products/:productId/prices',
  allow: ['manage_catalogue'],
  describe,
  idPrefix: 'ap_price_',
  find: findOwnPrice,
  create: async (request, { actor }, id, response) => {
    const ref = productOfRequest(request, response);
    const terms = parseFields(newPrice, request.body, 'price');
    const refusal = refusalOfTerms(terms);
    if (refusal) throw new ApiError(refusal);
    return createPrice(pool, ref, terms, actor, id);
  },
}));

const describe: OperationDescription = {
  operationId: 'createPrice',
  tag: 'Catalogue',
  summary: 'Create a price of a product',
  description:
    'The terms of a price never change. A product has at most one active price: the new one replaces ' +
    'it atomically, unless created with `status` `inactive`. Sessions and subscriptions agreed at another price keep that price.',
  idempotencyKey: 'optional',
  body: {
    schema: newPrice,
    example: {
      amount: examplePrice.amount,
      currency: examplePrice.currency,
      tax_rate: examplePrice.tax_rate,
      billing_mode: 'recurring',
      recurring: { interval: 'month' },
    },
    required: true,
  },
  answers: {
    201: {
      description: 'The price.',
      ...priceAnswer,
      links: [
        {
          operationId: 'updatePrice',
          parameters: { productId: '$response.body#/product_id', priceId: '$response.body#/id' },
        },
      ],
    },
  },
  errors: [
    'product_not_found',
    'recurring_price_interval_missing',
    'price_terms_inconsistent',
    'product_in_offering',
    'price_changed',
  ],
};
