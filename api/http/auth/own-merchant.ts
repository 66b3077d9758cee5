/** merchantId in a body: another merchant's is refused, the caller's own has no effect. */
import type { RequestHandler } from 'express';
import { ApiError } from '../errors.ts';
import { exchangeOf, scopeOf } from '../exchange.ts';

/** @throws ApiError 403 `merchant_scope_mismatch` */
export const refuseOtherMerchantInBody: RequestHandler = (request, response, next) => {
  const { merchantId } = exchangeOf(response).access ?? scopeOf(response);
  const named = request.body.merchantId ?? undefined;
  if (named !== undefined && named !== merchantId) throw new ApiError('merchant_scope_mismatch');
  next();
};
