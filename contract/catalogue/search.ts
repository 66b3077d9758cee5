/** Products in the dashboard's search. Products belong to both environments. */
import { pageOf } from '../core/answers.ts';
import { pageQuery } from '../core/pagination.ts';
import { requiredText } from '../core/text.ts';
import { exampleProduct, price, product } from './resources.ts';

export const searchProductsQuery = pageQuery.omit({ environment: true }).extend({
  q: requiredText(200)
    .optional()
    .meta({ description: 'A product’s id, your exact reference, or part of the name.', example: 'Coffee' }),
  status: product.shape.status.optional(),
  billing_mode: price.shape.billing_mode
    .optional()
    .meta({ description: 'Only products whose active price has this billing mode.' }),
  storefront_client_id: requiredText(64)
    .optional()
    .meta({ description: 'Only products that this storefront client may sell.' }),
  offering_id: requiredText(64).optional().meta({ description: 'Only plans of this offering.' }),
});

export const foundProductPage = pageOf(product, exampleProduct, 'FoundProduct');
