/** Parses the body of a route that has no error code per field. */
import type { z } from 'zod';
import { faultOf, whyInvalid } from '../../../contract/core/why-invalid.ts';
import { invalidRequest } from '../errors.ts';

/** @throws ApiError 400 `invalid_request`, whose message states the first invalid field's rule */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (!issue) throw new Error('zod reported a failure without an issue');
  throw invalidRequest(whyInvalid(issue, body), faultOf(issue, body));
}
