/**
 * PATCH /v1/merchants/:merchantId/products/:productId/prices/:priceId: changes `status` only; agreed terms are
 * immutable.
 */
import { PRICE_TERMS, priceAnswer, priceChanges } from '../../../contract/catalogue/prices.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { isPriceOf, setPriceStatus } from '../../../db/catalogue/prices.ts';
import { ApiError } from '../../http/errors.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { pathId } from '../../http/request/path-id.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { productOfRequest } from '../products/product-of-request.ts';

export const updatePriceRoute = merchantRoute(({ pool }) => ({
  method: 'patch',
  path: '/v1/merchants/:merchantId/products/:productId/prices/:priceId',
  allow: ['manage_catalogue'],
  describe,
  find: (request, _caller, response) =>
    isPriceOf(pool, productOfRequest(request, response), pathId(request, 'priceId')),
  alsoKnown: PRICE_TERMS,
  answer: (request, { actor }, response) => {
    const ref = productOfRequest(request, response);
    const priceId = pathId(request, 'priceId');
    if (PRICE_TERMS.some((term) => request.body[term] !== undefined))
      throw new ApiError('price_terms_immutable');
    const { status } = parseFields(priceChanges, request.body, 'price');
    return setPriceStatus(pool, ref, { priceId, status }, actor);
  },
}));

const describe: OperationDescription = {
  operationId: 'updatePrice',
  tag: 'Catalogue',
  summary: 'Activate or deactivate a price',
  description:
    'Activating a price replaces the active one atomically. Without an active price the ' +
    'product cannot be sold. A body that names terms (`amount`, `currency`, `tax_rate`, `billing_mode`, `recurring`) ' +
    'is refused.',
  body: { schema: priceChanges, example: { status: 'active' }, required: true },
  answers: { 200: { description: 'The changed price.', ...priceAnswer } },
  errors: ['price_terms_immutable', 'product_not_found', 'price_not_found', 'product_in_offering'],
};
