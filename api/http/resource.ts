/** Responds with one resource. */
import type { Response } from 'express';
import type { ErrorCode } from '../../contract/core/errors.ts';
import { ApiError } from './errors.ts';
import { exchangeOf } from './exchange.ts';

/** @throws ApiError if the result is an error code */
export function granted<Resource extends object>(answer: Resource | ErrorCode): Resource {
  if (typeof answer === 'string') throw new ApiError(answer);
  return answer;
}

/** Sends a resource's fields with `request_id` beside them. */
export function sendResource(response: Response, status: number, resource: object): void {
  response.status(status).json({ ...resource, request_id: exchangeOf(response).requestId });
}
