import { PRODUCT } from '../products/product-of-request.ts';

export const PRICES = `${PRODUCT}/prices`;
export const PRICE = `${PRICES}/:priceId`;
