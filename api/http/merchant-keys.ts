/** Scopes a merchant's idempotency keys: each environment has its own. */
import type { Pool } from '../../db/core/pool.ts';
import { scopeOf } from './exchange.ts';
import type { Idempotency } from './idempotency.ts';

export function merchantKeys(pool: Pool): Idempotency {
  return {
    pool,
    scopeOf: (response) => {
      const { merchantId, environment } = scopeOf(response);
      return `merchant:${merchantId}:${environment}`;
    },
  };
}
