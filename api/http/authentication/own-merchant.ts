/** Checks `merchantId` in a query or body: another merchant is rejected, the caller's own has no effect. */
import type { RequestHandler } from 'express';
import { ApiError } from '../errors.ts';
import { exchangeOf, scopeOf } from '../exchange.ts';

/** @throws ApiError 403 `merchant_scope_mismatch` */
export function refuseOtherMerchant(named: unknown, merchantId: string): void {
  if (named !== undefined && named !== merchantId) throw new ApiError('merchant_scope_mismatch');
}

/** @throws ApiError 403 `merchant_scope_mismatch` */
export const refuseOtherMerchantInBody: RequestHandler = (request, response, next) => {
  const { merchantId } = exchangeOf(response).access ?? scopeOf(response);
  refuseOtherMerchant(request.body.merchantId ?? undefined, merchantId);
  next();
};
