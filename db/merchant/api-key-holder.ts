/** Finds the merchant behind an API key, for authentication, and records when the key was last used. */
import { z } from 'zod';
import { API_KEY_SCOPES } from '../../domain/core/api-key-scope.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { type Db, sql } from '../core/pool.ts';

const apiKeyHolder = z.object({
  api_key_id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  scope: z.enum(API_KEY_SCOPES),
  merchant_status: z.enum(['active', 'inactive']),
});
export type ApiKeyHolder = z.infer<typeof apiKeyHolder>;

/** Records that the key was used. Of concurrent calls from several processes, only one writes. */
export async function recordKeyUse(db: Db, apiKeyId: string): Promise<void> {
  await db.query(sql.typeAlias('void')`
    update api_keys set last_used_at = service_clock()
    where id = ${apiKeyId} and (last_used_at is null or last_used_at < service_clock() - interval '50 seconds')
  `);
}

/**
 * The merchant of a valid key; null if the key is unknown, revoked, expired or past its rotation's overlap. Keys are
 * looked up by HMAC: without the pepper an attacker cannot choose the HMAC, so the index's timing leaks nothing.
 */
export function findApiKeyHolder(db: Db, keyHmac: Buffer): Promise<ApiKeyHolder | null> {
  return db.maybeOne(sql.type(apiKeyHolder)`
    select k.id as api_key_id, k.merchant_id, k.environment, k.scope, m.status as merchant_status
    from api_keys k
    join merchants m on m.id = k.merchant_id
    where k.key_hmac = ${sql.binary(keyHmac)}
      and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > service_clock())
      and (k.ends_at is null or k.ends_at > service_clock())
  `);
}
