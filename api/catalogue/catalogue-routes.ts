/** The catalogue under `/v1/merchants/:merchantId`: products, their prices, offerings, and coupons. */
import type { MerchantGate } from '../http/authentication/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { createCouponRoute } from './coupons/create.ts';
import { listCouponsRoute } from './coupons/list.ts';
import { updateCouponRoute } from './coupons/update.ts';
import { createOfferingRoute } from './offerings/create.ts';
import { listOfferingsRoute } from './offerings/list.ts';
import { showOfferingRoute } from './offerings/show.ts';
import { updateOfferingRoute } from './offerings/update.ts';
import { createPriceRoute } from './prices/create.ts';
import { listPricesRoute } from './prices/list.ts';
import { updatePriceRoute } from './prices/update.ts';
import { createProductRoute } from './products/create.ts';
import { showProductRoute } from './products/show.ts';
import { updateProductRoute } from './products/update.ts';

export function catalogueRoutes(context: ApiContext, gate: MerchantGate): readonly Route[] {
  return [
    createProductRoute,
    showProductRoute,
    updateProductRoute,
    listPricesRoute,
    createPriceRoute,
    updatePriceRoute,
    listOfferingsRoute,
    createOfferingRoute,
    showOfferingRoute,
    updateOfferingRoute,
    listCouponsRoute,
    createCouponRoute,
    updateCouponRoute,
  ].map((route) => route(context, gate));
}
