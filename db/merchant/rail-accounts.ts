/** Rail accounts: by their id for calls that come from the rail itself, and as operators set and check them. */
import { z } from 'zod';
import {
  railAccount as publicRailAccount,
  type RailAccountResource,
  railCapabilities,
} from '../../contract/merchant/rail-accounts.ts';
import { ENVIRONMENTS, type Environment, type Scope } from '../../domain/environment.ts';
import { type Db, sql, type Transaction } from '../core/pool.ts';

const railAccount = z.object({
  rail_account_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  rail: z.string(),
  account_status: z.enum(['activating', 'active', 'disabled']),
  capabilities: railCapabilities,
  /** Sealed. */
  credential: z.instanceof(Buffer),
});
export type StoredRailAccount = z.infer<typeof railAccount>;

const columns = sql.fragment`
  id as rail_account_id, merchant_id, environment, rail, status as account_status, capabilities, credential`;

export function findRailAccount(db: Db, rail: string, id: string): Promise<StoredRailAccount | null> {
  return db.maybeOne(sql.type(railAccount)`
    select ${columns} from rail_accounts where id = ${id} and rail = ${rail}
  `);
}

export function findAnyRailAccount(db: Db, id: string): Promise<StoredRailAccount | null> {
  return db.maybeOne(sql.type(railAccount)`select ${columns} from rail_accounts where id = ${id}`);
}

/** A merchant's accounts in one environment: the one in use first, then the latest of those that were. */
export function railAccountsOf(
  db: Db,
  { merchantId, environment }: Scope,
): Promise<readonly StoredRailAccount[]> {
  return db.any(sql.type(railAccount)`
    select ${columns} from rail_accounts
    where merchant_id = ${merchantId} and environment = ${environment}
    order by status = 'disabled', updated_at desc
  `);
}

/** The id of the account in use, if there is one. Whoever sets accounts holds the merchant's row, one at a time. */
export async function lockRailAccountInUse(
  tx: Transaction,
  { merchantId, environment }: Scope,
): Promise<string | null> {
  // A statement of its own: what is read after the lock is of an instant after it.
  await tx.query(sql.unsafe`select from merchants where id = ${merchantId} for no key update`);
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select id from rail_accounts
    where merchant_id = ${merchantId} and environment = ${environment} and status <> 'disabled'
  `);
}

/** As it is now, and stays until the transaction ends. */
export function lockRailAccount(tx: Transaction, id: string): Promise<StoredRailAccount> {
  return tx.one(sql.type(railAccount)`
    select ${columns} from rail_accounts where id = ${id} for no key update
  `);
}

const publicFields = sql.fragment`
  id, merchant_id, environment, rail, status, capabilities, created_at, updated_at`;

/** The public fields, newest first. @param environment null: both */
export function listRailAccounts(
  db: Db,
  merchantId: string,
  environment: Environment | null,
): Promise<readonly RailAccountResource[]> {
  return db.any(sql.type(publicRailAccount)`
    select ${publicFields} from rail_accounts
    where merchant_id = ${merchantId} and (${environment}::text is null or environment = ${environment})
    order by created_at desc, id desc
  `);
}

/** @returns null for an account that is not the merchant's */
export function findMerchantRailAccount(
  db: Db,
  merchantId: string,
  id: string,
): Promise<RailAccountResource | null> {
  return db.maybeOne(sql.type(publicRailAccount)`
    select ${publicFields} from rail_accounts where id = ${id} and merchant_id = ${merchantId}
  `);
}

/** Before there is a row of it: the processor is asked for an account by its id. */
export function newRailAccountId(db: Db): Promise<string> {
  return db.oneFirst(sql.type(z.object({ id: z.string() }))`select new_id('ap_rac_') as id`);
}

/** What is stored of an account after its processor was asked. */
export interface RailAccountChange {
  readonly status: StoredRailAccount['account_status'];
  readonly capabilities: object;
  readonly sealedCredential: Buffer;
}

export async function insertRailAccount(
  db: Db,
  account: { readonly id: string; readonly scope: Scope; readonly rail: string } & RailAccountChange,
): Promise<void> {
  const { merchantId, environment } = account.scope;
  await db.query(sql.unsafe`
    insert into rail_accounts (id, merchant_id, environment, rail, status, capabilities, credential)
    values (${account.id}, ${merchantId}, ${environment}, ${account.rail}, ${account.status},
      ${sql.jsonb(account.capabilities as Record<string, never>)}, ${sql.binary(account.sealedCredential)})
  `);
}

export async function updateRailAccount(db: Db, id: string, change: RailAccountChange): Promise<void> {
  await db.query(sql.unsafe`
    update rail_accounts
    set status = ${change.status}, capabilities = ${sql.jsonb(change.capabilities as Record<string, never>)},
      credential = ${sql.binary(change.sealedCredential)}, updated_at = service_clock()
    where id = ${id}
  `);
}

/** It keeps its credential: what is still open on it is looked up with it. */
export async function disableRailAccount(db: Db, id: string): Promise<void> {
  await db.query(sql.unsafe`
    update rail_accounts set status = 'disabled', updated_at = service_clock() where id = ${id}
  `);
}
