/**
 * Rejects repetitions of headers that affect the result. Node uses the first of two equal headers or joins them; a
 * proxy may use the last.
 */
import type { Request, RequestHandler } from 'express';
import { invalidRequest } from './errors.ts';

const DECIDES = /^(authorization|content-type|origin|.+-signature)$/;

export function isRepeated({ headersDistinct }: Request, name: string): boolean {
  return (headersDistinct[name]?.length ?? 0) > 1;
}

/** @throws ApiError 400 `invalid_request` */
export const refuseRepeatedHeaders: RequestHandler = (request, _response, next) => {
  const repeated = Object.keys(request.headers).find(
    (name) => DECIDES.test(name) && isRepeated(request, name),
  );
  if (repeated) throw invalidRequest(`The header ${repeated} was sent more than once.`, null);
  next();
};
