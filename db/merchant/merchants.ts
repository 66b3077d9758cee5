/** Merchants, for the management API. Each change writes an audit row. */
import { z } from 'zod';
import type { ApiKey } from '../../contract/merchant/api-keys.ts';
import {
  type Merchant,
  type MerchantChanges,
  merchant,
  type NewMerchant,
} from '../../contract/merchant/merchants.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Db, type Pool, sql } from '../core/pool.ts';
import { insertApiKey, type NewKey } from './api-keys.ts';

const selected = sql.fragment`
  select id, name, status, jsonb_build_object('subscriptions', subscriptions_enabled) as capabilities,
    jsonb_build_object('logo_url', branding -> 'logo_url', 'color', branding -> 'color',
      'language', branding -> 'language') as branding,
    jsonb_build_object('name', legal_identity -> 'name', 'vat_id', legal_identity -> 'vat_id',
      'vat_note', legal_identity -> 'vat_note', 'address_lines', coalesce(legal_identity -> 'address_lines', '[]')) as legal_identity,
    renew_after_lost_dispute, created_at, updated_at
  from merchants`;

export function findMerchant(db: Db, merchantId: string): Promise<Merchant | null> {
  return db.maybeOne(sql.type(merchant)`${selected} where id = ${merchantId}`);
}

/** @returns null for an unknown merchant */
export function findMerchantStatus(db: Db, merchantId: string): Promise<'active' | 'inactive' | null> {
  return db.maybeOneFirst(sql.type(z.object({ status: z.enum(['active', 'inactive']) }))`
    select status from merchants where id = ${merchantId}
  `);
}

/**
 * Newest first.
 * @param among null means all merchants
 * @param before the last id of the previous page
 */
export function listMerchants(
  db: Db,
  among: readonly string[] | null,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly Merchant[]> {
  const belonging = among && sql.fragment`id = any (${sql.array([...among], 'text')})`;
  return db.any(sql.type(merchant)`
    ${selected}
    where ${belonging ?? sql.fragment`true`} and (${before}::text is null or id < ${before})
    order by id desc
    limit ${limit}
  `);
}

/** Creates a merchant together with a first API key. */
export function createMerchant(
  pool: Pool,
  fields: NewMerchant,
  key: NewKey,
  actor: Actor,
): Promise<{ readonly merchant: Merchant; readonly apiKey: ApiKey }> {
  const { name, branding = {}, legal_identity: legalIdentity = {}, capabilities = {} } = fields;
  return pool.transaction(async (tx) => {
    const id = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
      insert into merchants (name, branding, legal_identity, subscriptions_enabled)
      values (${name}, ${sql.jsonb(branding)}, ${sql.jsonb(legalIdentity)}, ${capabilities.subscriptions ?? true})
      returning id
    `);
    const created = await tx.one(sql.type(merchant)`${selected} where id = ${id}`);
    await writeAudit(tx, {
      ...actor,
      merchantId: id,
      environment: null,
      action: 'merchant.create',
      subjectId: id,
      before: null,
      after: created,
    });
    const apiKey = await insertApiKey(tx, id, key, actor, 'api_key.create');
    return { merchant: created, apiKey };
  });
}

/** Undefined fields keep their value. @returns null for an unknown merchant */
export function updateMerchant(
  pool: Pool,
  merchantId: string,
  changes: MerchantChanges,
  actor: Actor,
): Promise<Merchant | null> {
  const { name, status, capabilities, branding = {}, legal_identity: legalIdentity = {} } = changes;
  const { renew_after_lost_dispute: renews } = changes;
  return pool.transaction(async (tx) => {
    const before = await tx.maybeOne(sql.type(merchant)`
      ${selected} where id = ${merchantId} for no key update
    `);
    if (!before || Object.keys(changes).length === 0) return before;
    await tx.query(sql.typeAlias('void')`
      update merchants
      set name = coalesce(${name ?? null}, name), status = coalesce(${status ?? null}, status),
        subscriptions_enabled = coalesce(${capabilities?.subscriptions ?? null}::boolean, subscriptions_enabled),
        branding = branding || ${sql.jsonb(branding)},
        legal_identity = legal_identity || ${sql.jsonb(legalIdentity)},
        renew_after_lost_dispute = coalesce(${renews ?? null}::boolean, renew_after_lost_dispute),
        updated_at = service_clock()
      where id = ${merchantId}
    `);
    const after = await tx.one(sql.type(merchant)`${selected} where id = ${merchantId}`);
    const subject = { merchantId, environment: null, subjectId: merchantId };
    await writeAudit(tx, { ...actor, ...subject, action: 'merchant.update', before, after });
    return after;
  });
}

/** @returns false if the merchant had this status before */
export function changeMerchantStatus(
  pool: Pool,
  merchantId: string,
  status: 'active' | 'inactive',
  actor: Actor,
): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const changed = await tx.query(sql.typeAlias('void')`
      update merchants set status = ${status}, updated_at = service_clock()
      where id = ${merchantId} and status <> ${status}
    `);
    if (changed.rowCount === 0) return false;
    const before = { status: status === 'active' ? 'inactive' : 'active' };
    const subject = { merchantId, environment: null, subjectId: merchantId };
    await writeAudit(tx, { ...actor, ...subject, action: 'merchant.update', before, after: { status } });
    return true;
  });
}
