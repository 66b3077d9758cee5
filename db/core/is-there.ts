/** Whether a row of a merchant exists, for a refusal that comes after 404 and before all that its state decides. */
import type { Scope } from '../../domain/core/environment.ts';
import { type Db, sql } from './pool.ts';

export function isThere(
  db: Db,
  table: 'payments' | 'orders',
  { merchantId, environment }: Scope,
  id: unknown,
): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from ${sql.identifier([table])}
    where id = ${storable(id)} and merchant_id = ${merchantId} and environment = ${environment}
  `);
}

/** What a body names an id by, before the body is checked: null if no id can be it (PostgreSQL's text has no NUL). */
export function storable(id: unknown): string | null {
  return typeof id === 'string' && id.length <= 200 && !id.includes('\0') ? id : null;
}
