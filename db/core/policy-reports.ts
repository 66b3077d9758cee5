/** Reports of violated content security policies, counted by kind and day. */
import { z } from 'zod';
import { type Db, sql } from './pool.ts';

export interface PolicyReport {
  readonly document: string;
  readonly directive: string;
  readonly blocked: string;
}

/** Reports are anonymous: a flood of invented kinds must not fill the table. */
export const KINDS_A_DAY = 200;
const OTHER: PolicyReport = { document: 'other', directive: 'other', blocked: 'other' };

/** @returns the kind under which it was counted, and whether it is the first of that kind today */
export async function countPolicyReport(
  db: Db,
  report: PolicyReport,
): Promise<{ readonly kind: PolicyReport; readonly first: boolean }> {
  const counted = await count(
    db,
    report,
    sql.fragment`
    exists (select from policy_reports where day = ${TODAY} and document = ${report.document}
      and directive = ${report.directive} and blocked = ${report.blocked})
    or ${KINDS_A_DAY} > (select count(*) from policy_reports where day = ${TODAY})`,
  );
  if (counted !== null) return { kind: report, first: counted === 1 };
  return { kind: OTHER, first: (await count(db, OTHER, sql.fragment`true`)) === 1 };
}

const TODAY = sql.fragment`(service_clock() at time zone 'UTC')::date`;

async function count(
  db: Db,
  { document, directive, blocked }: PolicyReport,
  condition: ReturnType<typeof sql.fragment>,
): Promise<number | null> {
  return db.maybeOneFirst(sql.type(z.object({ count: z.number() }))`
    insert into policy_reports as known (day, document, directive, blocked)
    select ${TODAY}, ${document}, ${directive}, ${blocked} where ${condition}
    on conflict (day, document, directive, blocked) do update
    set count = known.count + 1, last_at = service_clock()
    returning count
  `);
}

/** An auditor may ask for a year. */
export async function forgetOldPolicyReports(db: Db): Promise<void> {
  await db.query(sql.unsafe`delete from policy_reports where day < ${TODAY} - 400`);
}
