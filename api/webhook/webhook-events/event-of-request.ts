import type { Request } from 'express';
import { ApiError } from '../../http/errors.ts';

export const EVENT = '/v1/merchants/:merchantId/webhook-events/:eventId';

const ID = /^evt_[0-9a-f]{32}$/;

/** @throws ApiError 404 for a malformed event id */
export function eventIdOfRequest(request: Request): string {
  const id = String(request.params.eventId);
  if (!ID.test(id)) throw new ApiError('webhook_event_not_found');
  return id;
}
