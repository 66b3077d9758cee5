/** Reports of violated content security policies, counted by kind and day. */
import { z } from 'zod';
import { type Db, type Fragment, sql } from '../core/pool.ts';

export interface PolicyReport {
  readonly document: string;
  readonly directive: string;
  readonly blocked: string;
}

/**
 * Distinct addresses counted per day, document and directive; further addresses count as `other`. Reports are
 * anonymous: forged ones must neither fill the table nor displace another directive's.
 */
export const ADDRESSES_A_DAY = 20;

/**
 * @param mayName whether an address not reported today may be counted by its name
 * @returns the kind under which it was counted, and whether it is the first of that kind today
 */
export async function countPolicyReport(
  db: Db,
  report: PolicyReport,
  mayName = true,
): Promise<{ readonly kind: PolicyReport; readonly first: boolean }> {
  const counted = await count(
    db,
    report,
    sql.fragment`
    exists (select from policy_reports where day = ${TODAY} and document = ${report.document}
      and directive = ${report.directive} and blocked = ${report.blocked})
    or ${mayName} and ${ADDRESSES_A_DAY} > (select count(*) from policy_reports
      where day = ${TODAY} and document = ${report.document} and directive = ${report.directive})`,
  );
  if (counted !== null) return { kind: report, first: counted === 1 };
  const kind = { ...report, blocked: 'other' };
  return { kind, first: (await count(db, kind, sql.fragment`true`)) === 1 };
}

const TODAY = sql.fragment`(service_clock() at time zone 'UTC')::date`;

async function count(
  db: Db,
  { document, directive, blocked }: PolicyReport,
  condition: Fragment,
): Promise<number | null> {
  return db.maybeOneFirst(sql.type(z.object({ count: z.number() }))`
    insert into policy_reports as known (day, document, directive, blocked)
    select ${TODAY}, ${document}, ${directive}, ${blocked} where ${condition}
    on conflict (day, document, directive, blocked) do update
    set count = known.count + 1, last_at = service_clock()
    returning count
  `);
}

/** @returns how many were deleted */
export async function deleteOldPolicyReports(db: Db, keptDays: number, limit: number): Promise<number> {
  const { rowCount } = await db.query(sql.typeAlias('void')`
    delete from policy_reports where ctid = any (array(
      select ctid from policy_reports
      where day < (select ${TODAY}) - ${keptDays}::integer order by day limit ${limit}
    ))`);
  return rowCount;
}
