/** Shared by the administration routes for people. */
import type { RequestHandler, Response } from 'express';
import type { ErrorCode } from '../../../contract/core/errors.ts';
import type { Permission } from '../../../domain/core/permissions.ts';
import { ApiError } from '../errors.ts';
import { exchangeOf } from '../exchange.ts';
import { readJsonBody } from '../request/json-body.ts';
import type { MerchantGate } from './merchant-gate.ts';
import { refuseOtherMerchantInBody } from './own-merchant.ts';

/** Returns the steps before a change with a body: authorization, reading the body, checking its merchantId. */
export function administering(
  gate: MerchantGate,
  ...permissions: readonly Permission[]
): readonly RequestHandler[] {
  return [...gate.allow(...permissions), readJsonBody, refuseOtherMerchantInBody];
}

/** @throws ApiError if the check rejects the request */
export function granted<Resource extends object>(answer: Resource | ErrorCode): Resource {
  if (typeof answer === 'string') throw new ApiError(answer);
  return answer;
}

/** Sends a resource's fields with `request_id` beside them. */
export function sendResource(response: Response, status: number, resource: object): void {
  response.status(status).json({ ...resource, request_id: exchangeOf(response).requestId });
}
