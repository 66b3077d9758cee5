/** Shared by the routes of one offering. */
import type { Request, Response } from 'express';
import type { OfferingRef } from '../../../db/catalogue/offerings.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';

export const OFFERINGS = '/v1/merchants/:merchantId/offerings';
export const OFFERING = `${OFFERINGS}/:offeringId`;

/** @throws ApiError 404 for an unknown or malformed id */
export function offeringOfRequest(request: Request, response: Response): OfferingRef {
  const offeringId = pathId(request, 'offeringId', 'ap_off_', 'offering_not_found');
  return { merchantId: accessOf(response).merchantId, offeringId };
}
