/** The path of a product's prices. */
import { z } from 'zod';
import { examplePrice } from '../../../contract/catalogue/resources.ts';
import { PRODUCT, productPath } from '../products/product-of-request.ts';

export const PRICES = `${PRODUCT}/prices`;
export const PRICE = `${PRICES}/:priceId`;

export const pricePath = productPath.extend({ priceId: z.string().meta({ example: examplePrice.id }) });
