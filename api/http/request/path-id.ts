/** An id in the path: malformed ids are 404 without a query. */
import type { Request } from 'express';
import type { ErrorCode } from '../../../contract/core/errors.ts';
import { ApiError } from '../errors.ts';

const OPAQUE = /^[0-9a-z]{1,64}$/;

/**
 * @param prefix of this kind of id, such as `ap_prod_`
 * @throws ApiError with the code `notFound`
 */
export function pathId(request: Request, name: string, prefix: string, notFound: ErrorCode): string {
  const id = String(request.params[name]);
  if (id.startsWith(prefix) && OPAQUE.test(id.slice(prefix.length))) return id;
  throw new ApiError(notFound);
}
