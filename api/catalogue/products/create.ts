/** POST /v1/merchants/:merchantId/products: a new product. It can be sold once it has an active price. */
import type { RequestHandler } from 'express';
import { exampleProductAnswer, newProduct, productAnswer } from '../../../contract/catalogue/products.ts';
import type { OperationDescription } from '../../../contract/core/operation.ts';
import { createProduct } from '../../../db/catalogue/products.ts';
import { administering, granted, sendResource } from '../../http/auth/administer.ts';
import type { MerchantGate } from '../../http/auth/merchant-gate.ts';
import type { ApiContext } from '../../http/context.ts';
import { accessOf, actorOf } from '../../http/exchange.ts';
import { parseFields } from '../../http/request/parse-fields.ts';
import type { Route } from '../../http/route.ts';
import { productImages } from './product-images.ts';
import { PRODUCTS, productsPath } from './product-of-request.ts';

export function createProductRoute({ pool, config }: ApiContext, gate: MerchantGate): Route {
  const imageOf = productImages(config);
  const create: RequestHandler = async (request, response) => {
    const fields = parseFields(newProduct, request.body, 'product');
    const { merchantId } = accessOf(response);
    const product = await createProduct(
      pool,
      merchantId,
      fields,
      actorOf(response),
      await imageOf(fields.image_url),
    );
    sendResource(response, 201, granted(product));
  };
  return {
    method: 'post',
    path: PRODUCTS,
    handlers: [...administering(gate, 'manage_catalogue'), create],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'createProduct',
  tag: 'Catalogue',
  summary: 'Create a product',
  description:
    'A product serves both environments. It is active immediately and can be sold once it has an active price.',
  security: 'apiKeyOrPerson',
  catalogue: true,
  path: productsPath,
  body: {
    schema: newProduct,
    example: {
      name: exampleProductAnswer.name,
      description: exampleProductAnswer.description,
      metadata: exampleProductAnswer.metadata,
      external_reference: exampleProductAnswer.external_reference,
    },
    required: true,
  },
  answers: {
    201: {
      description: 'The product, without a price.',
      schema: productAnswer,
      example: { ...exampleProductAnswer, active_price: null },
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
