/** Parses a body on routes without a code per field. */
import type { z } from 'zod';
import { ApiError } from './errors.ts';

/** @throws ApiError 400 `invalid_request`, whose message names the first invalid field */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.');
  const message = field ? `${field} is not valid.` : issue?.code === 'custom' ? issue.message : undefined;
  throw new ApiError('invalid_request', message ? { message } : {});
}
