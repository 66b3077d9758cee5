/** POST /v1/merchants/:merchantId/products/:productId/prices: new terms. By default they replace the active price. */
import type { RequestHandler } from 'express';
import {
  examplePriceAnswer,
  newPrice,
  priceAnswer,
  refusalOfTerms,
} from '../../../contract/catalogue/prices.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createPrice } from '../../../db/catalogue/prices.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import type { Route } from '../../http/route.ts';
import { productOfRequest, productPath } from '../products/product-of-request.ts';
import { PRICES } from './price-of-request.ts';

export function createPriceRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const create: RequestHandler = async (request, response) => {
    const ref = productOfRequest(request, response);
    const terms = parseFields(newPrice, request.body, 'price');
    const refusal = refusalOfTerms(terms);
    if (refusal) throw new ApiError(refusal);
    sendResource(response, 201, granted(await createPrice(pool, ref, terms, actorOf(response))));
  };
  return {
    method: 'post',
    path: PRICES,
    handlers: [...administering(gate, 'manage_catalogue'), create],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'createPrice',
  tag: 'Catalogue',
  summary: 'Create a price of a product',
  description:
    'The terms of a price never change. A product has at most one active price: the new one replaces ' +
    'it atomically, unless created with `status` `inactive`. Sessions and subscriptions agreed ' +
    'at another price keep it.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: productPath,
  body: {
    schema: newPrice,
    example: {
      amount: examplePriceAnswer.amount,
      currency: examplePriceAnswer.currency,
      tax_rate: examplePriceAnswer.tax_rate,
      billing_mode: 'recurring',
      recurring: { interval: 'month' },
    },
    required: true,
  },
  answers: {
    201: {
      description: 'The price.',
      schema: priceAnswer,
      example: examplePriceAnswer,
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
