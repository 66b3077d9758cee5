/** Continues the series of invoices and credit notes after a restore, so that no number is used twice (rule 47). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { writeAudit } from '../core/audit.ts';
import { camelCased, type Pool, sql } from '../core/pool.ts';
import { UNPAID } from '../invoice/unpaid.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { BILLED } from '../subscription/core/billed-statuses.ts';
import { FARTHEST_YEARS } from '../subscription/core/sandbox-clock.ts';
import { webhookPrefixOf } from './fence.ts';

const skipped = camelCased({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  series: z.enum(['invoice', 'credit_note']),
  years: z.array(z.object({ year: z.number(), from: z.number(), to: z.number() })),
});
export type SkippedNumbers = z.infer<typeof skipped>;

/**
 * Continues each series after every number that the lost copy may have issued.
 *
 * An invoice may have been issued for
 * - each charge in the processor's lists that is unknown here;
 * - each sent and open attempt of a session or of a plan change;
 * - each invoice that is still due;
 * - each refund that the processor took back;
 * - each credited dispute that the bank may have reversed;
 * - each period that ended in the lost interval, or may have ended in it on a moved clock.
 *
 * A credit note may have been issued for
 * - each refund that is unknown or pending here;
 * - each credit note that is due;
 * - each dispute that is unknown or open here, if the merchant credits disputes;
 * - by the merchant's setting or an operator, each invoice that is unpaid, that is uncollectible and not credited, or
 *   that the lost copy may have written off: of a charge unknown here and not approved, or of a period that ended in
 *   the lost interval.
 *
 * In the sandbox, each of these counts in every year that a moved clock may have reached: the processor's lists contain
 * the real time, and the move itself may be lost. A trigger rejects new numbers until the series are continued.
 * Idempotent.
 *
 * @returns the skipped numbers, only once
 */
export function skipLostNumbers(pool: Pool, epoch: number): Promise<readonly SkippedNumbers[]> {
  return pool.transaction(async (tx) => {
    const { rowCount } = await tx.query(sql.typeAlias('void')`
      update ledger_copy set numbered_epoch = epoch where epoch = ${epoch} and numbered_epoch <> epoch
    `);
    if (!rowCount) return [];
    const series = await tx.any(sql.type(skipped)`
      with known_open as (
        select p.id, p.merchant_id, p.environment, 'invoice' as series from payments p
        where (p.amount > 0 or exists (select from checkouts c where c.id = p.checkout_id and c.coupon_id is not null))
          and p.status in ${OPEN_STATUSES} and p.call_started_at is not null
          and (p.checkout_id is not null or p.invoice_id in (select id from invoices where status = 'draft'))
        union all
        select d.payment_id, d.merchant_id, d.environment, 'invoice'
        from invoices_due d join payments p on p.id = d.payment_id left join invoices i on i.id = p.invoice_id
        where i.number is null
        union all
        select id, merchant_id, environment, 'credit_note' from refunds
        where status = 'pending' or status = 'succeeded' and payment_id in (select payment_id from invoices_due)
        union all
        select d.id, d.merchant_id, d.environment, 'credit_note' from disputes d join merchants m on m.id = d.merchant_id
        where d.status = 'open' and m.credit_note_on_lost_dispute
          or d.status = 'lost' and d.credits and d.payment_id in (select payment_id from invoices_due)
        union all
        select n.rail_event_id, a.merchant_id, a.environment, 'credit_note' from rail_webhooks n
        join rail_accounts a on a.id = n.rail_account_id join merchants m on m.id = a.merchant_id
        where n.hint = 'dispute' and n.rail_event_id like ${`${webhookPrefixOf(epoch)}%`} and m.credit_note_on_lost_dispute
        union all
        select n.id, n.merchant_id, n.environment, 'invoice' from credit_notes n
        where n.dispute_id is not null and n.reversed_by is null
        union all
        select i.id, i.merchant_id, i.environment, 'credit_note' from invoices i
        where i.status in ${UNPAID} or i.status = 'uncollectible'
          and not exists (select from credit_notes n where n.invoice_id = i.id and n.reversed_by is null)
      ), supplied as (
        select reference as id, merchant_id, environment,
          case when kind = 'refund' and outcome <> 'failed' then 'credit_note' else 'invoice' end as series, at
        from restore_findings where epoch = ${epoch} and kind in ('charge', 'refund')
        union all
        -- A credit note has the year in which the invoice was written off, at the latest this one.
        select reference, merchant_id, environment, 'credit_note', span.at
        from restore_findings f, lateral (values (f.at), (service_clock())) span (at)
        where epoch = ${epoch} and kind = 'charge' and outcome <> 'approved'
        union all
        select s.id, s.merchant_id, s.environment, document.series, document.at
        from (select *, case status when 'paused' then resumes_at else current_period_end end as next_at
          from subscriptions) s, ledger_copy c,
          lateral (values ('invoice', s.next_at), ('credit_note', s.next_at), ('credit_note', service_clock()))
            document (series, at)
        where s.status in ${BILLED} and s.next_at >= c.compare_since
          -- A lost move of a clock may have reached a period that a coupon made free: the processor has no charge of it.
          and (s.next_at <= service_clock()
            or document.series = 'invoice' and s.environment = 'sandbox' and s.coupon_id is not null)
        union all
        -- In both years, if the lost interval spans two.
        select o.id, o.merchant_id, o.environment, o.series, span.at
        from known_open o, ledger_copy c, lateral (values (c.compare_since), (service_clock())) span (at)
      ), given as (
        select s.merchant_id, s.environment, s.series, span.year,
          case s.series when 'invoice' then m.invoice_first_number else 1 end as first, count(distinct s.id)::integer as numbers
        from supplied s join merchants m on m.id = s.merchant_id
        cross join lateral (select extract(year from s.at at time zone m.time_zone)::integer as first,
          extract(year from service_clock() at time zone m.time_zone)::integer + ${FARTHEST_YEARS} as furthest) year
        cross join lateral generate_series(year.first,
          case s.environment when 'sandbox' then greatest(year.first, year.furthest) else year.first end) span (year)
        group by 1, 2, 3, 4, 5
      ), continued as (
        select g.merchant_id, g.environment, g.series, g.year, g.numbers, greatest(known.last_number, g.first - 1) as last
        from given g left join invoice_counters known using (merchant_id, environment, series, year)
      ), skipped as (
        insert into invoice_counters (merchant_id, environment, series, year, last_number)
        select merchant_id, environment, series, year, last + numbers from continued
        on conflict (merchant_id, environment, series, year) do update set last_number = excluded.last_number
      )
      select merchant_id, environment, series,
        json_agg(json_build_object('year', year, 'from', last + 1, 'to', last + numbers) order by year) as years
      from continued
      group by 1, 2, 3
      order by merchant_id, environment, series desc
    `);
    for (const { merchantId, environment, ...skipped } of series)
      await writeAudit(tx, {
        merchantId,
        environment,
        actor: 'restore',
        action: 'invoice.skip_numbers',
        subjectId: merchantId,
        before: null,
        after: { ...skipped, reason: 'assigned, or possibly assigned, by the database before its restore' },
      });
    return series;
  });
}
