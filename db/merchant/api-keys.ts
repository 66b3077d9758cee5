/** API keys, for the management API. Each change writes an audit row, which never contains the key. */

import { type ApiKey, apiKey as apiKeyRow, MAX_API_KEYS } from '../../contract/merchant/api-keys.ts';
import type { AuditAction } from '../../contract/merchant/audit.ts';
import type { ApiKeyScope } from '../../domain/core/api-key-scope.ts';
import type { Environment } from '../../domain/core/environment.ts';
import { type Actor, auditChange } from '../core/audit.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';

/** The terms that a rotation copies to the new key. */
export interface KeyTerms {
  readonly environment: Environment;
  readonly name: string;
  readonly scope: ApiKeyScope;
  /** ISO 8601; null if the key never expires. */
  readonly endsAt: string | null;
}

export interface NewKey extends KeyTerms {
  readonly hmac: Buffer;
  readonly last4: string;
}

/** The columns that the API shows. */
const fields = sql.fragment`
  id, merchant_id, environment, case environment when 'sandbox' then 'ap_test_' else 'ap_live_' end as prefix,
  last4, name, scope, created_by, created_at, least(expires_at, ends_at) as expires_at, last_used_at`;
/** The same condition as in `findApiKeyHolder`. */
const inForce = sql.fragment`revoked_at is null and (expires_at is null or expires_at > service_clock())
  and (ends_at is null or ends_at > service_clock())`;

/**
 * Lists valid keys, newest first.
 * @param environment null means both
 */
export function listApiKeys(
  db: Db,
  merchantId: string,
  environment: Environment | null,
): Promise<readonly ApiKey[]> {
  return db.any(sql.type(apiKeyRow)`
    select ${fields} from api_keys
    where merchant_id = ${merchantId} and ${inForce}
      and (${environment}::text is null or environment = ${environment})
    order by id desc
  `);
}

export function createApiKey(
  pool: Pool,
  merchantId: string,
  key: NewKey,
  actor: Actor,
): Promise<ApiKey | 'api_key_limit_reached'> {
  return pool.transaction(async (tx) => {
    const isFull = await keysAreFull(tx, merchantId, key.environment);
    return isFull ? 'api_key_limit_reached' : insertApiKey(tx, merchantId, key, actor, 'api_key.create');
  });
}

export interface RotationInput {
  readonly keyId: string;
  readonly overlapHours: number;
  /** Generates the new key, as shown and as stored, from the terms of the old one. */
  readonly makeKey: (terms: KeyTerms) => { readonly key: string; readonly stored: NewKey };
}

export type Rotation =
  | 'api_key_not_found'
  | 'api_key_limit_reached'
  | { readonly key: string; readonly apiKey: ApiKey; readonly replaced: ApiKey };

/** Issues a new key; the previous one stays valid for the overlap, unless it expires sooner. */
export function rotateApiKey(
  pool: Pool,
  merchantId: string,
  { keyId, overlapHours, makeKey }: RotationInput,
  actor: Actor,
): Promise<Rotation> {
  return pool.transaction(async (tx) => {
    const locked = await lockApiKey(tx, merchantId, keyId);
    if (!locked) return 'api_key_not_found';
    const { ends_at: endsAt, ...before } = locked;
    if (overlapHours > 0 && (await keysAreFull(tx, merchantId, before.environment)))
      return 'api_key_limit_reached';
    const replaced = await tx.one(sql.type(apiKeyRow)`
      update api_keys
      set expires_at = least(expires_at, service_clock() + make_interval(hours => ${overlapHours}))
      where id = ${keyId}
      returning ${fields}
    `);
    await auditChange(tx, 'api_key.expire', before, replaced, actor);
    const { environment, name, scope } = before;
    const { key, stored } = makeKey({ environment, name, scope, endsAt });
    const apiKey = await insertApiKey(tx, merchantId, stored, actor, 'api_key.rotate');
    return { key, apiKey, replaced };
  });
}

/**
 * Revokes the key in every process, from the next request on.
 * @returns false if no such key is valid
 */
export function revokeApiKey(pool: Pool, merchantId: string, keyId: string, actor: Actor): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const locked = await lockApiKey(tx, merchantId, keyId);
    if (!locked) return false;
    const { ends_at: _, ...before } = locked;
    await tx.query(
      sql.typeAlias('void')`update api_keys set revoked_at = service_clock() where id = ${keyId}`,
    );
    await auditChange(tx, 'api_key.revoke', before, null, actor);
    return true;
  });
}

export async function insertApiKey(
  tx: Transaction,
  merchantId: string,
  { environment, name, scope, endsAt, hmac, last4 }: NewKey,
  actor: Actor,
  action: AuditAction,
): Promise<ApiKey> {
  const created = await tx.one(sql.type(apiKeyRow)`
    insert into api_keys (merchant_id, environment, key_hmac, last4, name, scope, created_by, ends_at)
    values (${merchantId}, ${environment}, ${sql.binary(hmac)}, ${last4}, ${name}, ${scope}, ${actor.actor}, ${endsAt})
    returning ${fields}
  `);
  await auditChange(tx, action, null, created, actor);
  return created;
}

const lockedKey = apiKeyRow.extend({ ends_at: apiKeyRow.shape.expires_at });

export function hasApiKey(db: Db, merchantId: string, keyId: string): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from api_keys where id = ${keyId} and merchant_id = ${merchantId} and ${inForce}`);
}

function lockApiKey(tx: Transaction, merchantId: string, keyId: string) {
  return tx.maybeOne(sql.type(lockedKey)`
    select ${fields}, ends_at from api_keys
    where id = ${keyId} and merchant_id = ${merchantId} and ${inForce}
    for no key update
  `);
}

/** Counts under the merchant's lock, so that concurrent creations cannot exceed the limit. */
async function keysAreFull(tx: Transaction, merchantId: string, environment: Environment): Promise<boolean> {
  await tx.query(sql.typeAlias('void')`select from merchants where id = ${merchantId} for no key update`);
  const keys = await listApiKeys(tx, merchantId, environment);
  return keys.length >= MAX_API_KEYS;
}
