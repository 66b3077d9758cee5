/** Errors for a session that cannot be created. An unavailable rail has the same code as one that cannot charge. */
import type { RequestHandler } from 'express';
import type { ErrorCode } from '../../contract/core/errors.ts';
import { ApiError } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';

export interface Refused {
  readonly refusal: ErrorCode;
  readonly rail_out_seconds: number | null;
}

const UNSOLD = 'The product does not exist, is inactive or has no active price';

export function refusedSession({ refusal, rail_out_seconds: outSeconds }: Refused): ApiError {
  if (refusal === 'product_not_found') return new ApiError(refusal, { message: `${UNSOLD}.` });
  if (refusal !== 'payment_rail_unavailable' || outSeconds === null) return new ApiError(refusal);
  return new ApiError(refusal, {
    message: 'The card processor does not answer, or was paused. Try again in a few minutes.',
    headers: { 'Retry-After': `${outSeconds}` },
  });
}

export function unsoldByStorefront(): ApiError {
  return new ApiError('product_not_found', {
    message: `${UNSOLD}, or the storefront client may not sell it.`,
  });
}

/** Sets the error code for an unexpected failure. */
export const failAsCheckout: RequestHandler = (_request, response, next) => {
  exchangeOf(response).failureCode = 'checkout_failed';
  next();
};
