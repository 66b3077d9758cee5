/** Finds a stored rail account's adapter, and decrypts the account's credential. */
import { z } from 'zod';
import type { Environment } from '../domain/core/environment.ts';
import type { RailCapabilities } from '../domain/payment/rail-capabilities.ts';
import type { Rail } from './rail.ts';
import type { RailAccount } from './rail-account.ts';

export interface RailAccountRow {
  readonly rail_account_id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly rail: string;
  readonly account_status: RailAccount['status'];
  readonly capabilities: RailCapabilities;
  readonly credential: Buffer;
}

/** `placeOf` returns the same as `railCredentialOf` in platform/secrets/places.ts, which adapters do not import. */
interface Opens {
  open(sealed: Buffer, place: ReturnType<typeof placeOf>): string;
}

function placeOf({ rail_account_id: row }: RailAccountRow) {
  return { table: 'rail_accounts', column: 'credential', row };
}

const openedCredential = z.record(z.string(), z.string());

export function openRailAccount(
  { rails, secretBox }: { readonly rails: ReadonlyMap<string, Rail>; readonly secretBox: Opens },
  row: RailAccountRow,
): { readonly rail: Rail; readonly account: RailAccount } {
  const rail = rails.get(row.rail);
  if (!rail)
    throw new Error(`rail ${row.rail} of account ${row.rail_account_id} is not configured in this process`);
  return {
    rail,
    account: {
      id: row.rail_account_id,
      merchantId: row.merchant_id,
      environment: row.environment,
      rail: row.rail,
      status: row.account_status,
      capabilities: row.capabilities,
      sealedCredential: row.credential,
      credential: openedCredential.parse(JSON.parse(secretBox.open(row.credential, placeOf(row)))),
    },
  };
}
