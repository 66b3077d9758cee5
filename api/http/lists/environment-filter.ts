/** The environment filter of a request under `/v1/merchants/:merchantId`. */
import type { Request, Response } from 'express';
import { ENVIRONMENTS, type Environment } from '../../../domain/core/environment.ts';
import { ApiError, invalidRequest } from '../errors.ts';
import { accessOf } from '../exchange.ts';

/**
 * @returns null for both environments, which only people may see
 * @throws ApiError 400 for an unknown environment, 403 for one other than the key's
 */
export function environmentFilter(request: Request, response: Response): Environment | null {
  const { environment: own } = accessOf(response);
  const asked = request.query.environment;
  if (asked === undefined) return own;
  const known = ENVIRONMENTS.find((environment) => environment === asked);
  if (!known)
    throw invalidRequest('environment must be sandbox or production.', {
      field: 'environment',
      reason: 'unknown_value',
    });
  if (own !== null && own !== known) throw new ApiError('merchant_scope_mismatch');
  return known;
}
