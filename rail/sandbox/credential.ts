/** The credential of an account at the sandbox rail, as the service keeps it sealed. */
import { z } from 'zod';
import type { RailAccount } from '../rail.ts';

const schema = z.object({
  /** The account's id at the rail; public, unlike the rest. */
  account: z.string().min(1),
  secret: z.string().min(1),
  webhookSecret: z.string().min(1),
});
export type SandboxCredential = z.infer<typeof schema>;

/** @returns null when it is not of the sandbox rail's shape: a mistake in the configuration */
export function credentialOf(account: RailAccount): SandboxCredential | null {
  return schema.safeParse(account.credential).data ?? null;
}
