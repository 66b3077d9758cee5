/** A product of the merchant, as the import reads it. */
import { z } from 'zod';
import type { SourceRow } from '../../account-source.ts';
import { instantOf } from '../core/instant.ts';

/** A price's product may be deleted: it has an id then, and nothing else. */
export const productSchema = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  description: z.string().nullish(),
  active: z.boolean().nullish(),
});

const product = productSchema.extend({ created: z.number().int() });
export const productPage = z.object({ data: z.array(product), has_more: z.boolean() });

export function withoutPrice({ id, created }: z.infer<typeof product>): SourceRow {
  return { id, createdAt: instantOf(created), obstacles: ['It has no price, and a product here has one.'] };
}
