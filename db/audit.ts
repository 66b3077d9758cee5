/** Who changed what by hand. Written in the transaction of the change, never updated. */
import { type Db, sql } from './pool.ts';

/** Who changes something, why, and by which request. */
export interface Actor {
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface AuditEntry {
  readonly merchantId: string | null;
  readonly environment: string | null;
  readonly actor: string;
  readonly action: string;
  readonly subjectId: string;
  readonly requestId?: string | null;
  readonly before: unknown;
  readonly after: unknown;
}

export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.query(sql.unsafe`
    insert into audit_log (merchant_id, environment, actor, action, subject_id, request_id, before, after)
    values (${entry.merchantId}, ${entry.environment}, ${entry.actor}, ${entry.action}, ${entry.subjectId},
      ${entry.requestId ?? null}, ${sql.jsonb(entry.before as object)}, ${sql.jsonb(entry.after as object)})
  `);
}
