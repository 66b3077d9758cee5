/** The audit log across merchants. */
import { type AuditEntry, auditEntry } from '../../contract/merchant/audit.ts';
import { type Db, sql } from '../core/pool.ts';

export interface OperatorAuditFilter {
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
  readonly merchantId?: string | undefined;
}

const MOST = 100;

/** Newest first. */
export function listOperatorAudit(
  db: Db,
  { subjectId = '', actor = '', merchantId = '' }: OperatorAuditFilter,
): Promise<readonly AuditEntry[]> {
  return db.any(sql.type(auditEntry)`
    select id::text, at, environment, actor, action, subject_id, request_id, before, after
    from audit_log
    where ${subjectId} in ('', subject_id) and ${actor} in ('', actor) and ${merchantId} in ('', merchant_id)
    order by audit_log.id desc limit ${MOST}
  `);
}
