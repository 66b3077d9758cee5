/** The development provider's accounts, without passwords: those in its configuration, and those added later. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ROLES } from '../../domain/core/permissions.ts';

export const accountSchema = z.object({
  /** The person's id at the provider, `sub` in tokens: an email address, so that the audit log is readable. */
  id: z.string().trim().min(1).max(200),
  name: z.string().trim().min(1).max(200),
  role: z.enum(ROLES),
  merchants: z.array(z.string()),
});
export type Account = z.infer<typeof accountSchema>;

/** Also accepts the form's format, which has all merchant ids in one field. */
export const addedAccount = accountSchema.extend({
  merchants: z.union([
    accountSchema.shape.merchants,
    z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean)),
  ]),
});

export interface Accounts {
  all(): readonly Account[];
  find(id: string): Account | undefined;
  /** Adds an account, or replaces the one with its id. */
  add(account: Account): void;
}

/** @param dataDir where added accounts are stored; if absent, a restart loses them */
export function openAccounts(configured: readonly Account[], dataDir: string | undefined): Accounts {
  const file = dataDir && join(dataDir, 'people.json');
  if (dataDir) mkdirSync(dataDir, { recursive: true });
  const added: readonly Account[] =
    file && existsSync(file) ? z.array(accountSchema).parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
  const addedById = new Map(added.map((account) => [account.id, account]));
  const byId = new Map([...configured, ...added].map((account) => [account.id, account]));
  return {
    all: () => [...byId.values()],
    find: (id) => byId.get(id),
    add(account) {
      byId.set(account.id, account);
      addedById.set(account.id, account);
      if (!file) return;
      writeFileSync(`${file}.new`, JSON.stringify([...addedById.values()]));
      renameSync(`${file}.new`, file);
    },
  };
}

/** Claims that the service reads from a token. */
export function claimsOf({ role, merchants }: Account) {
  return { role, merchants };
}
