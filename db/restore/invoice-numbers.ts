/** The series of invoices and credit notes after a restore: no number is given twice (rule 47). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { camelCased, type Pool, sql } from '../core/pool.ts';

const skipped = camelCased({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  series: z.enum(['invoice', 'credit_note']),
  year: z.number(),
  from: z.number(),
  to: z.number(),
});
export type SkippedNumbers = z.infer<typeof skipped>;

/**
 * Continues each series after every number that the lost copy may have issued: one for each charge in the processor's
 * lists that is unknown here, one for each period that ended in the lost interval, and one credit note for each unknown
 * refund. Until then a trigger refuses each number. Idempotent.
 * @returns the skipped numbers, once
 */
export function skipLostNumbers(pool: Pool, epoch: number): Promise<readonly SkippedNumbers[]> {
  return pool.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update ledger_copy set numbered_epoch = epoch where epoch = ${epoch} and numbered_epoch <> epoch
    `);
    if (!rowCount) return [];
    const series = await tx.any(sql.type(skipped)`
      with supplied as (
        select merchant_id, environment, case kind when 'charge' then 'invoice' else 'credit_note' end as series, at
        from restore_findings where epoch = ${epoch} and kind in ('charge', 'refund')
        union all
        select s.merchant_id, s.environment, 'invoice', s.current_period_end from subscriptions s, ledger_copy c
        where s.status in ('trialing', 'active', 'past_due')
          and s.current_period_end between c.compare_since and service_clock()
      ), given as (
        select s.merchant_id, s.environment, s.series,
          extract(year from s.at at time zone m.time_zone)::integer as year,
          case s.series when 'invoice' then m.invoice_first_number else 1 end as first, count(*)::integer as numbers
        from supplied s join merchants m on m.id = s.merchant_id
        group by 1, 2, 3, 4, 5
      ), continued as (
        select g.merchant_id, g.environment, g.series, g.year, g.numbers, greatest(known.last_number, g.first - 1) as last
        from given g left join invoice_counters known using (merchant_id, environment, series, year)
      ), skipped as (
        insert into invoice_counters (merchant_id, environment, series, year, last_number)
        select merchant_id, environment, series, year, last + numbers from continued
        on conflict (merchant_id, environment, series, year) do update set last_number = excluded.last_number
      )
      select merchant_id, environment, series, year, last + numbers as to, last + 1 as from from continued
      order by merchant_id, environment, series desc, year
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
