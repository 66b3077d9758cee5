/** Shared by the routes of one offering. */
import type { Request, Response } from 'express';
import type { OfferingRef } from '../../../db/catalogue/offerings.ts';
import { accessOf } from '../../http/exchange.ts';
import { pathId } from '../../http/request/path-id.ts';

/** @throws ApiError 404 for an unknown or malformed id */
export function offeringOfRequest(request: Request, response: Response): OfferingRef {
  const offeringId = pathId(request, 'offeringId');
  return { merchantId: accessOf(response).merchantId, offeringId };
}
