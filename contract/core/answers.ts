/** The shapes of a successful response, each with an example: a flat resource, a list, and a page of a longer list. */
import { z } from 'zod';

export const requestId = z.string().meta({
  id: 'RequestId',
  description: 'Identifies the request; also in the header x-request-id. Quote it in support requests.',
  example: 'req_0b9f2f0c3ad94a0f9a63a2d9f52c1e77',
});

export const EXAMPLE_REQUEST_ID = 'req_0b9f2f0c3ad94a0f9a63a2d9f52c1e77';

/** Describes a response with a resource's fields and `request_id` beside them. */
export function single<Shape extends z.ZodRawShape>(
  resource: z.ZodObject<Shape>,
  example: z.input<z.ZodObject<Shape>>,
  id = `${resource.meta()?.id}Answer`,
) {
  return { schema: z.object({ ...resource.shape, request_id: requestId }).meta({ id }), example };
}

/** Describes `{ data, request_id }`. Named after the resource, so that generated clients have a type `OrderList`. */
export function listOf<Resource extends z.ZodType>(resource: Resource, example: z.input<Resource>) {
  const made = () => z.object(listShape(resource)).meta({ id: `${resource.meta()?.id}List` });
  return { schema: once(lists, resource, made), example: { data: [example] } };
}

/** Describes a page of a longer list; `next_cursor` is null on the last page. */
export function pageOf<Resource extends z.ZodType>(
  resource: Resource,
  example: z.input<Resource>,
  name = resource.meta()?.id,
) {
  const next_cursor = z
    .string()
    .nullable()
    .meta({ description: 'The `cursor` of the next page; null on the last page.' });
  const schema = z.object({ ...listShape(resource), next_cursor }).meta({ id: `${name}Page` });
  return { schema, example: { data: [example], next_cursor: null } };
}

function listShape<Resource extends z.ZodType>(resource: Resource) {
  return { data: z.array(resource), request_id: requestId };
}

/** Schemas by resource: two routes may list the same resource, but a name belongs to one schema. */
const lists = new WeakMap<z.ZodType, z.ZodType>();

function once<List extends z.ZodType>(
  known: WeakMap<z.ZodType, z.ZodType>,
  resource: z.ZodType,
  make: () => List,
): List {
  const list = (known.get(resource) as List | undefined) ?? make();
  known.set(resource, list);
  return list;
}
