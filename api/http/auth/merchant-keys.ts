/** Scopes a merchant's idempotency keys: each environment has its own. */
import type { Pool } from '../../../db/core/pool.ts';
import { accessOf, scopeOf } from '../exchange.ts';
import type { Idempotency } from '../idempotency.ts';

export function merchantKeys(pool: Pool): Idempotency {
  return {
    pool,
    scopeOf: (response) => {
      const { merchantId, environment } = scopeOf(response);
      return `merchant:${merchantId}:${environment}`;
    },
  };
}

/** Scopes people's idempotency keys under `/v1/merchants/:merchantId`: one scope for all people of a merchant. */
export function peoplesKeys(pool: Pool): Idempotency {
  return { pool, scopeOf: (response) => `merchant:${accessOf(response).merchantId}:people` };
}
