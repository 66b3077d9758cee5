/** The audit log, of one merchant or of all. */
import type { z } from 'zod';
import type { Environment } from '../../domain/core/environment.ts';
import { type Db, sql } from '../core/pool.ts';

export interface AuditFilter {
  readonly subjectId?: string | undefined;
  readonly actor?: string | undefined;
  readonly merchantId?: string | undefined;
  readonly environment?: Environment | undefined;
  /** ISO 8601; from inclusive, to exclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The last id of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/**
 * Lists audit entries, newest first.
 * @param entry the fields to show
 */
export function listAudit<Entry>(
  db: Db,
  { subjectId, actor = '', merchantId, environment, from, to, before, limit }: AuditFilter,
  entry: z.ZodType<Entry>,
): Promise<readonly Entry[]> {
  return db.any(sql.type(entry)`
    select id::text, at, merchant_id, environment, actor, action, subject_id, request_id, before, after
    from audit_log
    where ${equal('subject_id', subjectId)} and ${equal('merchant_id', merchantId)} and ${equal('environment', environment)}
      -- The filter also finds entries in which the actor is one of two people who acted together.
      and (${actor} = '' or ${actor} = actor or ${actor} = any (string_to_array(actor, ', confirmed by ')))
      and (${from ?? null}::timestamptz is null or at >= ${from ?? null}::timestamptz)
      and (${to ?? null}::timestamptz is null or at < ${to ?? null}::timestamptz)
      and (${before ?? null}::bigint is null or id < ${before ?? null}::bigint)
    order by audit_log.id desc limit ${limit}
  `);
}

function equal(column: string, value: string | undefined) {
  return value === undefined ? sql.fragment`true` : sql.fragment`${sql.identifier([column])} = ${value}`;
}
