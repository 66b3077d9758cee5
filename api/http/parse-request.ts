/** A body against its schema on routes without codes of their own for each field. */
import type { z } from 'zod';
import { ApiError } from './errors.ts';

/** @throws ApiError 400 `invalid_request`, whose message names the first field that is not valid */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.');
  const message = field ? `${field} is not valid.` : issue?.code === 'custom' ? issue.message : undefined;
  throw new ApiError('invalid_request', message ? { message } : {});
}
