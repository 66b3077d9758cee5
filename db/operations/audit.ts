/** The audit log across merchants. */
import { type OperatorAuditEntry, operatorAuditEntry } from '../../contract/operations/audit.ts';
import type { Environment } from '../../domain/core/environment.ts';
import { type Db, sql } from '../core/pool.ts';

export interface OperatorAuditFilter {
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly environment?: Environment | undefined;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Lists audit entries, newest first. */
export function listOperatorAudit(
  db: Db,
  { subjectId = '', actor = '', merchantId = '', environment, before, limit }: OperatorAuditFilter,
): Promise<readonly OperatorAuditEntry[]> {
  return db.any(sql.type(operatorAuditEntry)`
    select id::text, at, merchant_id, environment, actor, action, subject_id, request_id, before, after
    from audit_log
    where ${subjectId} in ('', subject_id) and ${merchantId} in ('', merchant_id)
      -- Either of two people.
      and (${actor} = '' or ${actor} = actor or ${actor} = any (string_to_array(actor, ', confirmed by ')))
      and (${environment ?? null}::text is null or environment = ${environment ?? null})
      and (${before ?? null}::bigint is null or id < ${before ?? null}::bigint)
    order by audit_log.id desc limit ${limit}
  `);
}
