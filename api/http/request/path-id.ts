/** An id in the path: malformed ids are 404 without a query. */
import type { Request } from 'express';
import { PATH_IDS } from '../../../contract/core/path-ids.ts';
import { ApiError } from '../errors.ts';

const OPAQUE = /^[0-9a-z]{1,64}$/;

/** @throws ApiError 404 with the code of the parameter's collection */
export function pathId({ params, route }: Request, name: string): string {
  const segments: readonly string[] = route.path.split('/');
  const known = PATH_IDS[segments[segments.indexOf(`:${name}`) - 1] ?? ''];
  if (!known) throw new Error(`${route.path} has no id ${name} of a known collection`);
  const [prefix, unknown] = known;
  const id = String(params[name]);
  if (id.startsWith(prefix) && OPAQUE.test(id.slice(prefix.length))) return id;
  throw new ApiError(unknown);
}
