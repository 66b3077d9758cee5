/** The series of invoices after a restore: no number is given twice (rule 47). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { camelCased, type Pool, sql } from '../core/pool.ts';

const skipped = camelCased({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  year: z.number(),
  from: z.number(),
  to: z.number(),
});
export type SkippedNumbers = z.infer<typeof skipped>;

/**
 * Continues each series behind every number that the lost copy can have given: one for each charge in the processor's
 * lists that is unknown here, and one for each period that ended in the lost interval. Until then a trigger refuses each
 * number. Idempotent.
 * @returns what was skipped, once
 */
export function skipLostNumbers(pool: Pool, epoch: number): Promise<readonly SkippedNumbers[]> {
  return pool.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update ledger_copy set numbered_epoch = epoch where epoch = ${epoch} and numbered_epoch <> epoch
    `);
    if (!rowCount) return [];
    const series = await tx.any(sql.type(skipped)`
      with given as (
        select merchant_id, environment, at from restore_findings where epoch = ${epoch} and kind = 'charge'
        union all
        select s.merchant_id, s.environment, s.current_period_end from subscriptions s, ledger_copy c
        where s.status in ('trialing', 'active', 'past_due')
          and s.current_period_end between c.compare_since and service_clock()
      )
      insert into invoice_counters as known (merchant_id, environment, year, last_number)
      select merchant_id, environment, extract(year from at at time zone 'UTC')::integer, count(*)::integer
      from given group by 1, 2, 3
      on conflict (merchant_id, environment, year)
        do update set last_number = known.last_number + excluded.last_number
      returning merchant_id, environment, year, last_number as to,
        last_number - (select count(*)::integer from given g
          where g.merchant_id = known.merchant_id and g.environment = known.environment
            and extract(year from g.at at time zone 'UTC') = known.year) + 1 as from
    `);
    for (const { merchantId, environment, ...numbers } of series)
      await writeAudit(tx, {
        merchantId,
        environment,
        actor: 'restore',
        action: 'invoice.skip_numbers',
        subjectId: merchantId,
        before: null,
        after: { ...numbers, reason: 'given by the database before its restore, or possibly so' },
      });
    return series;
  });
}
