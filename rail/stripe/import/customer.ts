/** A merchant's customer, as the import reads it. */
import { z } from 'zod';
import type { SourceCustomer } from '../../account-source.ts';
import { instantOf } from '../core/instant.ts';

const address = z.object({
  line1: z.string().nullish(),
  line2: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  postal_code: z.string().nullish(),
  country: z.string().nullish(),
});

export const customerSchema = z.object({
  id: z.string().min(1),
  created: z.number().int(),
  email: z.string().nullish(),
  name: z.string().nullish(),
  address: address.nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
});

export function sourceCustomer(found: z.infer<typeof customerSchema>): SourceCustomer {
  const { id, created, email, name, address: at, metadata } = found;
  return {
    id,
    createdAt: instantOf(created),
    obstacles: [],
    email: email || null,
    name: name || null,
    address: at
      ? {
          line1: at.line1 ?? null,
          line2: at.line2 ?? null,
          city: at.city ?? null,
          region: at.state ?? null,
          postal_code: at.postal_code ?? null,
          country: at.country ?? null,
        }
      : null,
    metadata: metadata ?? {},
  };
}
