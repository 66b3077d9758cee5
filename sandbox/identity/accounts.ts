/** The people whom the development provider knows. Who they are is configuration; there are no passwords. */
import { z } from 'zod';
import { ROLES } from '../../domain/permissions.ts';

export const accountSchema = z.object({
  /** The provider's own id of the person, `sub` in tokens: an email here, so that an audit log can be read. */
  id: z.string().min(1),
  name: z.string().min(1),
  role: z.enum(ROLES),
  merchants: z.array(z.string()),
});
export type Account = z.infer<typeof accountSchema>;

/** What tokens say of a person, in the claims that the service reads. */
export function claimsOf({ role, merchants }: Account) {
  return { role, merchants };
}
