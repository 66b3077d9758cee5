/** A merchant's product, as the import reads it. */
import { z } from 'zod';
import type { SourceRow } from '../../account-source.ts';
import { instantOf } from '../core/instant.ts';

export const productSchema = z.object({
  id: z.string().min(1),
  created: z.number().int(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  active: z.boolean().nullish(),
});
export type Product = z.infer<typeof productSchema>;

export function withoutPrice({ id, created }: Product): SourceRow {
  return { id, createdAt: instantOf(created), obstacles: ['It has no price, and a product here needs one.'] };
}
