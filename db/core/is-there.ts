/** Checks that a merchant's row exists, before checks of the row's state. */
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

/** An id from an unvalidated body; null if the value cannot be an id (PostgreSQL's text has no NUL). */
export function storable(id: unknown): string | null {
  return typeof id === 'string' && id.length <= 200 && !id.includes('\0') ? id : null;
}
