/**
 * PATCH /v1/merchants/:merchantId/products/:productId: texts, references and `status`. Absent fields stay unchanged.
 * Sessions keep the terms they were created with, subscriptions keep their price.
 */
import type { RequestHandler } from 'express';
import { exampleProductAnswer, productAnswer, productChanges } from '../../../contract/catalogue/products.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import type { NewImage } from '../../../db/catalogue/product-images.ts';
import { findProduct, updateProduct } from '../../../db/catalogue/products.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { refuseUnknownFields } from '../../http/request/refuse-unknown-fields.ts';
import type { Route } from '../../http/route.ts';
import { productImages } from './product-images.ts';
import { PRODUCT, productOfRequest, productPath } from './product-of-request.ts';

export function updateProductRoute({ pool, config }: ApiContext, gate: MerchantGate): Route {
  const imageOf = productImages(config);
  const update: RequestHandler = async (request, response) => {
    const ref = productOfRequest(request, response);
    const changes = parseFields(productChanges, request.body, 'product');
    const updateWith = (image: NewImage | null) =>
      updateProduct(pool, ref, changes, actorOf(response), image);
    // The update alone knows, under the product's lock, whether the URL is new.
    let updated = await updateWith(null);
    while (updated === 'image_not_fetched') updated = await updateWith(await imageOf(changes.image_url));
    sendResource(response, 200, granted(updated));
  };
  const known = refuseUnknownFields(describe, (request, response) => {
    const { merchantId, productId } = productOfRequest(request, response);
    return findProduct(pool, merchantId, productId);
  });
  return {
    method: 'patch',
    path: PRODUCT,
    handlers: [...administering(gate, 'manage_catalogue'), known, update],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'updateProduct',
  tag: 'Catalogue',
  summary: 'Change a product, activate or deactivate it',
  description:
    'Absent fields stay unchanged; null removes `description`, `external_reference` and `image_url`. With `status` ' +
    '`inactive` new sessions cannot sell the product. Existing agreements continue: sessions keep the texts and ' +
    'price that they were created with, subscriptions renew at their price.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: productPath,
  body: { schema: productChanges, example: { status: 'inactive' }, required: false },
  answers: {
    200: {
      description: 'The changed product.',
      schema: productAnswer,
      example: { ...exampleProductAnswer, status: 'inactive' },
    },
  },
  errors: ['product_not_found', 'external_reference_taken', 'product_image_refused'],
};
