/** An id in the path: what cannot be one is found nowhere, and never reaches the database. */
import type { Request } from 'express';
import type { ErrorCode } from '../../contract/core/errors.ts';
import { ApiError } from './errors.ts';

const OPAQUE = /^[0-9a-z]{1,64}$/;

/**
 * @param prefix of ids of this kind: `ap_prod_` …
 * @throws ApiError with `notFound`
 */
export function pathId(request: Request, name: string, prefix: string, notFound: ErrorCode): string {
  const id = String(request.params[name]);
  if (id.startsWith(prefix) && OPAQUE.test(id.slice(prefix.length))) return id;
  throw new ApiError(notFound);
}
