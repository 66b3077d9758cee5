/** The audit log of manual changes. Rows are written in the transaction of the change; only an erasure updates them. */
import type { QuerySqlToken } from 'slonik';
import type { z } from 'zod';
import type { AuditAction } from '../../contract/merchant/audit.ts';
import type { Environment } from '../../domain/core/environment.ts';
import { type Db, sql, type Transaction } from './pool.ts';

/** Who makes a change (a person or a program), why, and the request that caused it. */
export interface Actor {
  readonly actor: string;
  readonly reason?: string | undefined;
  readonly requestId?: string | undefined;
  readonly confirmation?: Confirmation | undefined;
}

/** A second person's approval, if the amount requires one. */
export interface Confirmation {
  readonly person: string;
  /** The confirmed request (`operator_requests`). */
  readonly requestId: string;
  /** The charge that was open when the command was requested. */
  readonly paymentId: string | null;
}

/**
 * The actor of a command sent from Temporal UI, whose name is free text. Without the prefix, a typed `person:ada` would
 * look like the actor of a token.
 */
export const typedInTemporalUi = (who: string) => `temporal-ui:${who}`;

export interface AuditEntry extends Actor {
  readonly merchantId: string | null;
  readonly environment: string | null;
  readonly action: AuditAction;
  readonly subjectId: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Writes a row, which contains the actor's reason and the state after the change. */
export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  const after = entry.reason ? { ...(entry.after as object), reason: entry.reason } : entry.after;
  await db.query(sql.typeAlias('void')`
    insert into audit_log (merchant_id, environment, actor, action, subject_id, request_id, before, after)
    values (${entry.merchantId}, ${entry.environment}, ${entry.actor}, ${entry.action}, ${entry.subjectId},
      ${entry.requestId ?? null}, ${sql.jsonb(entry.before as object)}, ${sql.jsonb(after as object)})
  `);
}

/** A resource as the API shows it; resources of the catalogue have no environment. */
interface Audited {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment?: Environment;
}

/** Writes the audit row of a resource's change; `before` is null for a creation, `after` for a deletion. */
export function auditChange<Resource extends Audited>(
  tx: Db,
  action: AuditAction,
  before: Resource | null,
  after: Resource | null,
  actor: Actor,
): Promise<void> {
  const subject = after ?? before;
  if (!subject) throw new Error(`${action}: an audit entry needs the resource before or after the change`);
  const { id: subjectId, merchant_id: merchantId, environment = null } = subject;
  return writeAudit(tx, { merchantId, environment, action, subjectId, before, after, ...actor });
}

/** Reads a resource after its change, and writes the change's audit row. */
export async function audited<Resource extends Audited>(
  tx: Transaction,
  action: AuditAction,
  before: Resource | null,
  changed: QuerySqlToken<z.ZodType<Resource>>,
  actor: Actor,
): Promise<Resource> {
  const after = await tx.one(changed);
  await auditChange(tx, action, before, after, actor);
  return after;
}
