/**
 * The next number of an invoice or a credit note, from a counter row that stays locked until the commit, because a
 * sequence would leave a gap after a rollback. Numbers are per merchant, environment, series and year: `2026-000001`,
 * after the merchant's prefix, with the year in the merchant's time zone. The millionth number has one more digit, so
 * sort by `id`. Both fragments build `moment` and `counted` for a single statement, because every purchase of a
 * merchant waits for this lock, for at most a second.
 */
import type { Scope } from '../../domain/core/environment.ts';
import { LOCKS_WITHIN_A_SECOND } from '../core/lock-timeout.ts';
import { sql } from '../core/pool.ts';

const COUNTED_NUMBER = sql.fragment`
  year || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0') as number`;

export function nextInvoiceNumber({ merchantId, environment }: Scope, issuedAt: string | null) {
  // Read the clock before waiting for the counter's lock: the number's year is the year of issue.
  return sql.fragment`
    moment as materialized (
      select coalesce(${issuedAt}::timestamptz, service_clock()) as at, time_zone, invoice_prefix,
        invoice_first_number as first, ${LOCKS_WITHIN_A_SECOND}
      from merchants where id = ${merchantId}
    ), counted as (
      insert into invoice_counters (merchant_id, environment, year, last_number)
      select ${merchantId}, ${environment}, extract(year from at at time zone time_zone)::integer, first from moment
      on conflict (merchant_id, environment, series, year)
        do update set last_number = greatest(invoice_counters.last_number + 1, excluded.last_number)
      returning ${COUNTED_NUMBER}
    )`;
}

/** A credit note is dated no earlier than its invoice: a sandbox invoice may be dated ahead of the clock. */
export function nextCreditNoteNumber(
  { merchantId, environment }: Scope,
  invoiceId: string,
  occurredAt: string | null,
) {
  return sql.fragment`
    moment as materialized (
      select greatest(coalesce(${occurredAt}::timestamptz, service_clock()), i.issued_at) as at, m.time_zone,
        m.invoice_prefix, ${LOCKS_WITHIN_A_SECOND}
      from invoices i join merchants m on m.id = i.merchant_id where i.id = ${invoiceId}
    ), counted as (
      insert into invoice_counters (merchant_id, environment, series, year, last_number)
      select ${merchantId}, ${environment}, 'credit_note', extract(year from at at time zone time_zone)::integer, 1
      from moment
      on conflict (merchant_id, environment, series, year)
        do update set last_number = invoice_counters.last_number + 1
      returning ${COUNTED_NUMBER}
    )`;
}
