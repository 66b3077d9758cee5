/**
 * PATCH /v1/merchants/:merchantId/products/:productId: name, description, references and `status`. Absent
 * fields stay unchanged. Sessions keep the terms they were created with, and subscriptions keep their price.
 */
import { productAnswer, productChanges } from '../../../contract/catalogue/products.ts';
import { exampleProduct } from '../../../contract/catalogue/resources.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import type { NewImage } from '../../../db/catalogue/product-images.ts';
import { findProduct, updateProduct } from '../../../db/catalogue/products.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { merchantRoute } from '../../http/routes/gated-route.ts';
import { productImages } from './product-images.ts';
import { productOfRequest } from './product-of-request.ts';

export const updateProductRoute = merchantRoute(({ pool, config }) => {
  const imageOf = productImages(config);
  return {
    method: 'patch',
    path: '/v1/merchants/:merchantId/products/:productId',
    allow: ['manage_catalogue'],
    describe,
    find: (request, _caller, response) => {
      const { merchantId, productId } = productOfRequest(request, response);
      return findProduct(pool, merchantId, productId);
    },
    answer: async (request, { actor }, response) => {
      const ref = productOfRequest(request, response);
      const changes = parseFields(productChanges, request.body, 'product');
      const updateWith = (image: NewImage | null) => updateProduct(pool, ref, changes, actor, image);
      // Only the update, which holds the product's lock, detects whether the URL is new.
      let updated = await updateWith(null);
      while (updated === 'image_not_fetched')
        updated = await updateWith(await imageOf(ref.merchantId, changes.image_url));
      return updated;
    },
  };
});

const describe: OperationDescription = {
  operationId: 'updateProduct',
  tag: 'Catalogue',
  summary: 'Change a product, activate or deactivate it',
  description:
    'Absent fields stay unchanged; null removes `description`, `external_reference` and `image_url`. With `status` ' +
    '`inactive` new sessions cannot sell the product. Existing agreements continue: sessions keep the texts and ' +
    'price that they were created with, subscriptions renew at their price.',
  body: { schema: productChanges, example: { status: 'inactive' }, required: false },
  answers: {
    200: {
      description: 'The changed product.',
      ...productAnswer,
      example: { ...exampleProduct, status: 'inactive' },
    },
  },
  errors: ['product_not_found', 'external_reference_taken', 'product_image_refused'],
};
