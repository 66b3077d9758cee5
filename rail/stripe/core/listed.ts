/**
 * The objects of Stripe's lists, each read by itself: one that is not as described, because a later Stripe answers it, never fails its page.
 */
import { z } from 'zod';

export type Listed<Item> = { readonly id: string; readonly raw: Raw } & (
  | { readonly isRead: true; readonly item: Item }
  | { readonly isRead: false; readonly why: string }
);
type Raw = Readonly<Record<string, unknown>>;

/** @param schema of one object */
export function pageOf<Item>(schema: z.ZodType<Item>) {
  const listed = z.looseObject({ id: z.string().min(1) }).transform((raw) => listedOf(schema, raw));
  return z.object({ data: z.array(listed), has_more: z.boolean() });
}

export function listedOf<Item>(schema: z.ZodType<Item>, raw: Raw & { readonly id: string }): Listed<Item> {
  const { id } = raw;
  const { success, data, error } = schema.safeParse(raw);
  return success ? { id, raw, isRead: true, item: data } : { id, raw, isRead: false, why: whyOf(error) };
}

const metadataSchema = z.record(z.string(), z.unknown()).nullish();

/** @returns null if it cannot be read; an object without metadata has none of ours */
export function metadataOf({ metadata }: Raw): Raw | null {
  const { success, data } = metadataSchema.safeParse(metadata);
  return success ? (data ?? {}) : null;
}

/** Names of fields only: their values may be personal. */
function whyOf({ issues }: z.ZodError): string {
  const fields = new Set(issues.map(({ path }) => path.join('.')));
  return `not as Stripe describes it: ${[...fields].join(', ')}`;
}
