/** Dependencies of each step of an import. */
import type { Client } from '@temporalio/client';
import type { Actor } from '../../../db/core/audit.ts';
import type { Pool } from '../../../db/core/pool.ts';
import type { Imported } from '../../../db/operations/import-account.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import type { SecretBox } from '../../../platform/secrets/encryption.ts';
import type { AccountSource } from '../../../rail/account-source.ts';
import type { RailAccount } from '../../../rail/rail-account.ts';
import type { ImportRow } from './import-row.ts';

export interface ImportDeps {
  readonly pool: Pool;
  readonly temporal: Client;
  readonly secretBox: SecretBox;
  readonly source: AccountSource;
  readonly account: RailAccount;
  readonly actor: Actor;
  /** Called with each row as soon as its outcome is known. */
  readonly onRow: (row: ImportRow) => void;
}

export interface ImportOptions {
  /** The tax rate that every imported price includes, in percent. */
  readonly taxRate: number;
  /** The metadata key under which the processor's customers carry the merchant's own id. */
  readonly customerIdKey: string | null;
  /** False for a dry run, which only reports what the import would do. */
  readonly carryOut: boolean;
}

/** Returns the origin that each imported row records. */
export function imported(
  { account: { merchantId, environment } }: ImportDeps,
  { id, createdAt }: { readonly id: string; readonly createdAt: string },
): Imported {
  const scope: Scope = { merchantId, environment };
  return { scope, sourceId: id, createdAt };
}
