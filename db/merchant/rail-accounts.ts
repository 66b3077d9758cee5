/** Queries for rail accounts: lookup by id for webhooks; create and check for operators. */
import { z } from 'zod';
import {
  railAccount as publicRailAccount,
  type RailAccountResource,
} from '../../contract/merchant/rail-accounts.ts';
import type { Environment, Scope } from '../../domain/core/environment.ts';
import { type Db, sql, type Transaction } from '../core/pool.ts';
import { railAccountColumns, railAccountRow } from './rail-account-row.ts';

const railAccount = z.object({
  ...railAccountRow,
  /** The processor's id of the account; null until a probe has found it. */
  identity: z.string().nullable(),
  /** True if the account is, or has been, `active`. */
  was_active: z.boolean(),
});
export type StoredRailAccount = z.infer<typeof railAccount>;

const columns = sql.fragment`${railAccountColumns}, a.identity, a.was_active`;

export function findRailAccount(db: Db, rail: string, id: string): Promise<StoredRailAccount | null> {
  return db.maybeOne(sql.type(railAccount)`
    select ${columns} from rail_accounts a where id = ${id} and rail = ${rail}
  `);
}

export function findAnyRailAccount(db: Db, id: string): Promise<StoredRailAccount | null> {
  return db.maybeOne(sql.type(railAccount)`select ${columns} from rail_accounts a where id = ${id}`);
}

/** A merchant's accounts in one environment: first the account in use, then former ones, latest first. */
export function railAccountsOf(
  db: Db,
  { merchantId, environment }: Scope,
): Promise<readonly StoredRailAccount[]> {
  return db.any(sql.type(railAccount)`
    select ${columns} from rail_accounts a
    where merchant_id = ${merchantId} and environment = ${environment}
    order by status = 'disabled', updated_at desc
  `);
}

/** The id of the account in use, if any. Locks the merchant's row, which serialises changes of its accounts. */
export async function lockRailAccountInUse(
  tx: Transaction,
  { merchantId, environment }: Scope,
): Promise<string | null> {
  // Lock first, then read in a second statement, whose snapshot is taken under the lock.
  await tx.query(sql.typeAlias('void')`select from merchants where id = ${merchantId} for no key update`);
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select id from rail_accounts
    where merchant_id = ${merchantId} and environment = ${environment} and status <> 'disabled'
  `);
}

/** The account's current row, locked until the transaction ends. */
export function lockRailAccount(tx: Transaction, id: string): Promise<StoredRailAccount> {
  return tx.one(sql.type(railAccount)`
    select ${columns} from rail_accounts a where id = ${id} for no key update
  `);
}

const publicFields = sql.fragment`
  id, merchant_id, environment, rail, status, capabilities, created_at, updated_at`;

/**
 * @param not id of a row to leave out
 * @returns the row of the account with this id at the processor, or null
 */
export function findRowOfIdentity(
  tx: Transaction,
  { merchantId, environment }: Scope,
  { rail, identity, not }: { readonly rail: string; readonly identity: string; readonly not: string },
): Promise<string | null> {
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select id from rail_accounts
    where merchant_id = ${merchantId} and environment = ${environment} and rail = ${rail}
      and identity = ${identity} and id <> ${not}
  `);
}

/**
 * Lists accounts with their public fields, newest first.
 * @param environment null means both
 */
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

/** @returns null for another merchant's account */
export function findMerchantRailAccount(
  db: Db,
  merchantId: string,
  id: string,
): Promise<RailAccountResource | null> {
  return db.maybeOne(sql.type(publicRailAccount)`
    select ${publicFields} from rail_accounts where id = ${id} and merchant_id = ${merchantId}
  `);
}

/** Allocated before the row exists, because the processor's account is created under this id. */
export function newRailAccountId(db: Db): Promise<string> {
  return db.oneFirst(sql.type(z.object({ id: z.string() }))`select new_id('ap_rac_') as id`);
}

/** The row's values once the processor has confirmed the account. */
export interface RailAccountChange {
  readonly status: StoredRailAccount['account_status'];
  readonly capabilities: object;
  readonly identity: string | null;
  readonly sealedCredential: Buffer;
}

export async function insertRailAccount(
  db: Db,
  account: { readonly id: string; readonly scope: Scope; readonly rail: string } & RailAccountChange,
): Promise<void> {
  const { merchantId, environment } = account.scope;
  await db.query(sql.typeAlias('void')`
    insert into rail_accounts (id, merchant_id, environment, rail, status, was_active, capabilities, identity, credential)
    values (${account.id}, ${merchantId}, ${environment}, ${account.rail}, ${account.status},
      ${account.status === 'active'}, ${sql.jsonb(account.capabilities as Record<string, never>)}, ${account.identity}, ${sql.binary(account.sealedCredential)})
  `);
}

export async function updateRailAccount(db: Db, id: string, change: RailAccountChange): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_accounts
    set status = ${change.status}, was_active = was_active or ${change.status === 'active'}, capabilities = ${sql.jsonb(change.capabilities as Record<string, never>)},
      identity = coalesce(${change.identity}, identity), credential = ${sql.binary(change.sealedCredential)}, updated_at = service_clock()
    where id = ${id}
  `);
}

/** Disables an account. Keeps its credential, which look-ups of open payments still need. */
export async function disableRailAccount(db: Db, id: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update rail_accounts set status = 'disabled', updated_at = service_clock() where id = ${id}
  `);
}
