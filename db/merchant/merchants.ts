/** Merchants and their API keys. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/environment.ts';
import { type Db, sql } from '../core/pool.ts';

const apiKeyHolder = z.object({
  api_key_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  merchant_status: z.enum(['active', 'inactive']),
});
export type ApiKeyHolder = z.infer<typeof apiKeyHolder>;

/** @returns null when there is no such merchant */
export function findMerchantStatus(db: Db, merchantId: string): Promise<'active' | 'inactive' | null> {
  return db.maybeOneFirst(sql.type(z.object({ status: z.enum(['active', 'inactive']) }))`
    select status from merchants where id = ${merchantId}
  `);
}

/** Told by several processes at once, it is written by one of them. */
export async function recordKeyUse(db: Db, apiKeyId: string): Promise<void> {
  await db.query(sql.unsafe`
    update api_keys set last_used_at = service_clock()
    where id = ${apiKeyId} and (last_used_at is null or last_used_at < service_clock() - interval '50 seconds')
  `);
}

/**
 * The merchant that a key in force belongs to; null for a key that is unknown, revoked or past its rotation's
 * overlap. Found by the key's HMAC: without the pepper nobody can choose it, so the index gives nothing away.
 */
export function findApiKeyHolder(db: Db, keyHmac: Buffer): Promise<ApiKeyHolder | null> {
  return db.maybeOne(sql.type(apiKeyHolder)`
    select k.id as api_key_id, k.merchant_id, k.environment, m.status as merchant_status
    from api_keys k
    join merchants m on m.id = k.merchant_id
    where k.key_hmac = ${sql.binary(keyHmac)}
      and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > service_clock())
  `);
}
