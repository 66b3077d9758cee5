/**
 * PATCH /v1/merchants/:merchantId/products/:productId/prices/:priceId: changes `status` only; agreed terms are
 * immutable.
 */
import type { RequestHandler } from 'express';
import {
  examplePriceAnswer,
  PRICE_TERMS,
  priceAnswer,
  priceChanges,
} from '../../../contract/catalogue/prices.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { isPriceOf, setPriceStatus } from '../../../db/catalogue/prices.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';
import { actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { pathId } from '../../http/request/path-id.ts';
import { refuseUnknownFields } from '../../http/request/refuse-unknown-fields.ts';
import type { Route } from '../../http/route.ts';
import { productOfRequest } from '../products/product-of-request.ts';
import { PRICE, pricePath } from './price-of-request.ts';

export function updatePriceRoute({ pool }: ApiContext, gate: MerchantGate): Route {
  const update: RequestHandler = async (request, response) => {
    const ref = productOfRequest(request, response);
    const priceId = pathId(request, 'priceId', 'ap_price_', 'price_not_found');
    if (PRICE_TERMS.some((term) => request.body[term] !== undefined))
      throw new ApiError('price_terms_immutable');
    const { status } = parseFields(priceChanges, request.body, 'price');
    const price = await setPriceStatus(pool, ref, { priceId, status }, actorOf(response));
    sendResource(response, 200, granted(price));
  };
  const known = refuseUnknownFields(
    describe,
    (request, response) =>
      isPriceOf(
        pool,
        productOfRequest(request, response),
        pathId(request, 'priceId', 'ap_price_', 'price_not_found'),
      ),
    PRICE_TERMS,
  );
  return {
    method: 'patch',
    path: PRICE,
    handlers: [...administering(gate, 'manage_catalogue'), known, update],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'updatePrice',
  tag: 'Catalogue',
  summary: 'Activate or deactivate a price',
  description:
    'Activating a price replaces the active one atomically. Without an active price the ' +
    'product cannot be sold. A body that names terms (`amount`, `currency`, `tax_rate`, `billing_mode`, `recurring`) ' +
    'is refused.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: pricePath,
  body: { schema: priceChanges, example: { status: 'active' }, required: true },
  answers: {
    200: { description: 'The changed price.', schema: priceAnswer, example: examplePriceAnswer },
  },
  errors: ['price_terms_immutable', 'product_not_found', 'price_not_found', 'product_in_offering'],
};
