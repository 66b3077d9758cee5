/**
 * Parses each object of Stripe's lists separately, so that an object made by other software or a later version of
 * Stripe never fails the whole page.
 */
import { z } from 'zod';
import type { Answer } from './call.ts';
import type { StripeApi } from './client.ts';
import { allPages, type Page, type PageQuery } from './pages.ts';

export type Listed<Item> = { readonly id: string; readonly raw: Raw } & (
  | { readonly isRead: true; readonly item: Item }
  | { readonly isRead: false; readonly why: string }
);
type Raw = Readonly<Record<string, unknown>>;

/** @param schema the schema of one object */
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

/** @returns null if the metadata cannot be read; an object without metadata is not ours */
export function metadataOf({ metadata }: Raw): Raw | null {
  const { success, data } = metadataSchema.safeParse(metadata);
  return success ? (data ?? {}) : null;
}

/**
 * Reads a list in which only our objects matter. Someone else's unreadable object is reported and skipped; if one of
 * ours is unreadable, it may be the requested one, so the result is unknown.
 *
 * @param isOurs decides by the object's metadata
 * @param enough stops paging once it returns true for the objects read so far
 */
export async function listOurs<Item>(
  api: StripeApi,
  ask: (page: PageQuery) => Promise<Answer<Page<Listed<Item>>>>,
  isOurs: (metadata: Raw) => boolean,
  enough?: (found: readonly Item[]) => boolean,
): Promise<Answer<readonly Item[]>> {
  const listed = await allPages(ask, enough && ((found) => enough(read(found))));
  if (listed.kind !== 'answer') return listed;
  for (const each of listed.value) {
    if (each.isRead) continue;
    const { id, raw, why } = each;
    const metadata = metadataOf(raw);
    if (metadata === null || isOurs(metadata))
      return { kind: 'unknown', reason: 'malformed_answer', detail: `${id} is ${why}` };
    api.onSkipped({ id, why });
  }
  return { kind: 'answer', value: read(listed.value) };
}

function read<Item>(listed: readonly Listed<Item>[]): readonly Item[] {
  return listed.flatMap((each) => (each.isRead ? [each.item] : []));
}

/** Names the unreadable fields only, because their values may be personal. */
function whyOf({ issues }: z.ZodError): string {
  const fields = new Set(issues.map(({ path }) => path.join('.')));
  return `not in the form that Stripe documents: ${[...fields].join(', ')}`;
}
