/** The two shapes of a successful response: a flat resource, and a list. */
import { z } from 'zod';

export const requestId = z.string().meta({
  id: 'RequestId',
  description: 'Identifies the request; also in the header x-request-id. Quote it in support requests.',
  example: 'req_0b9f2f0c3ad94a0f9a63a2d9f52c1e77',
});

export const EXAMPLE_REQUEST_ID = 'req_0b9f2f0c3ad94a0f9a63a2d9f52c1e77';

/** A resource's fields with `request_id` beside them. */
export function single<Shape extends z.ZodRawShape>(resource: z.ZodObject<Shape>) {
  return z.object({ ...resource.shape, request_id: requestId });
}

/** `{ data, request_id }`. */
export function listOf<Resource extends z.ZodType>(resource: Resource) {
  return z.object({ data: z.array(resource), request_id: requestId });
}
