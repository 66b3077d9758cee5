/** The development provider's accounts, from its configuration, without passwords. */
import { z } from 'zod';
import { ROLES } from '../../domain/permissions.ts';

export const accountSchema = z.object({
  /** The person's id at the provider, `sub` in tokens. An email here, which keeps the audit log readable. */
  id: z.string().min(1),
  name: z.string().min(1),
  role: z.enum(ROLES),
  merchants: z.array(z.string()),
});
export type Account = z.infer<typeof accountSchema>;

/** The claims that the service reads from a token. */
export function claimsOf({ role, merchants }: Account) {
  return { role, merchants };
}
