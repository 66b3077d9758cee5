/** POST /v1/merchants/:merchantId/products: a new product. It can be sold once it has an active price. */
import { newProduct, productAnswer } from '../../../contract/catalogue/products.ts';
import { exampleProduct } from '../../../contract/catalogue/resources.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createProduct, findProduct } from '../../../db/catalogue/products.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import { createRoute } from '../../http/routes/keyed-route.ts';
import { productImages } from './product-images.ts';

export const createProductRoute = createRoute(({ pool, config }) => {
  const imageOf = productImages(config);
  return {
    path: '/v1/merchants/:merchantId/products',
    allow: ['manage_catalogue'],
    describe,
    idPrefix: 'ap_prod_',
    find: findProduct,
    create: async (request, { merchantId, actor }, id) => {
      const fields = parseFields(newProduct, request.body, 'product');
      return createProduct(pool, merchantId, fields, actor, {
        id,
        image: await imageOf(merchantId, fields.image_url),
      });
    },
  };
});

const describe: OperationDescription = {
  operationId: 'createProduct',
  tag: 'Catalogue',
  summary: 'Create a product',
  description:
    'A product serves both environments. It is active immediately and can be sold once it has an active price.',
  idempotencyKey: 'optional',
  body: {
    schema: newProduct,
    example: {
      name: exampleProduct.name,
      description: exampleProduct.description,
      metadata: exampleProduct.metadata,
      external_reference: exampleProduct.external_reference,
    },
    required: true,
  },
  answers: {
    201: {
      description: 'The product, without a price.',
      ...productAnswer,
      example: { ...exampleProduct, active_price: null },
      links: [
        {
          operationId: 'createPrice',
          parameters: { merchantId: '$response.body#/merchant_id', productId: '$response.body#/id' },
        },
        {
          operationId: 'updateProduct',
          parameters: { merchantId: '$response.body#/merchant_id', productId: '$response.body#/id' },
        },
      ],
    },
  },
  errors: ['external_reference_taken', 'product_image_refused'],
};
