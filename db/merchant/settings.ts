/** A merchant's settings: columns of its row. Each change writes an audit row with the old and the new values. */
import {
  type MerchantSettings,
  merchantSettings,
  type SettingsChanges,
} from '../../contract/merchant/settings.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Db, type Pool, sql } from '../core/pool.ts';

const NAMES = Object.keys(merchantSettings.shape) as (keyof MerchantSettings)[];
const columns = sql.join(
  NAMES.map((name) => sql.identifier([name])),
  sql.fragment`, `,
);

export function findSettings(db: Db, merchantId: string): Promise<MerchantSettings | null> {
  return db.maybeOne(sql.type(merchantSettings)`select ${columns} from merchants where id = ${merchantId}`);
}

/** Asks PostgreSQL, whose list may differ from the runtime's: a zone unknown there would block every invoice. */
export function knowsTimeZone(db: Db, name: string): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from pg_timezone_names where lower(name) = lower(${name})`);
}

/** Undefined fields keep their value. @returns null for an unknown merchant */
export function updateSettings(
  pool: Pool,
  merchantId: string,
  changes: SettingsChanges,
  actor: Actor,
): Promise<MerchantSettings | null> {
  return pool.transaction(async (tx) => {
    const before = await tx.maybeOne(sql.type(merchantSettings)`
      select ${columns} from merchants where id = ${merchantId} for no key update`);
    const changed = NAMES.filter((name) => changes[name] !== undefined && changes[name] !== before?.[name]);
    if (!before || changed.length === 0) return before;
    const assignments = changed.map(
      (name) => sql.fragment`${sql.identifier([name])} = ${changes[name] ?? null}`,
    );
    const after = await tx.one(sql.type(merchantSettings)`
      update merchants set ${sql.join(assignments, sql.fragment`, `)}, updated_at = service_clock()
      where id = ${merchantId}
      returning ${columns}`);
    const valuesOf = (all: MerchantSettings) => Object.fromEntries(changed.map((name) => [name, all[name]]));
    await writeAudit(tx, {
      ...actor,
      merchantId,
      environment: null,
      action: 'settings.update',
      subjectId: merchantId,
      before: valuesOf(before),
      after: valuesOf(after),
    });
    return after;
  });
}
