/** Shared by the routes of one merchant. */
import type { Response } from 'express';
import { z } from 'zod';
import { exampleMerchant, type Merchant } from '../../../contract/merchant/merchants.ts';
import { ApiError } from '../../http/errors.ts';
import { exchangeOf } from '../../http/exchange.ts';

export const MERCHANT = '/v1/merchants/:merchantId';

export const merchantPath = z.object({ merchantId: z.string().meta({ example: exampleMerchant.id }) });

/** @throws ApiError 404 if the merchant does not exist */
export function sendMerchant(response: Response, merchant: Merchant | null): void {
  if (!merchant) throw new ApiError('merchant_not_found');
  response.json({ ...merchant, request_id: exchangeOf(response).requestId });
}
