/** The credential of a sandbox rail account, which the service stores encrypted. */
import { z } from 'zod';
import type { RailAccount } from '../rail-account.ts';

const schema = z.object({
  /** The account's id at the rail; not secret. */
  account: z.string().min(1),
  secret: z.string().min(1),
  webhookSecret: z.string().min(1),
});
export type SandboxCredential = z.infer<typeof schema>;

/** @returns null for a malformed credential, which is a configuration error */
export function credentialOf(account: RailAccount): SandboxCredential | null {
  return schema.safeParse(account.credential).data ?? null;
}
