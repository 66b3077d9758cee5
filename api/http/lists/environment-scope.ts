/** The scope of a request under `/v1/merchants/:merchantId` that concerns one environment. */
import type { Request, Response } from 'express';
import type { Scope } from '../../../domain/core/environment.ts';
import { invalidRequest } from '../errors.ts';
import { accessOf } from '../exchange.ts';
import { environmentFilter } from './environment-filter.ts';

/** @throws ApiError 400 if a person names no environment; a key has its own */
export function environmentScope(request: Request, response: Response): Scope {
  const environment = environmentFilter(request, response);
  if (environment === null)
    throw invalidRequest('environment is required.', { field: 'environment', reason: 'required' });
  return { merchantId: accessOf(response).merchantId, environment };
}
