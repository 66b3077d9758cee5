/** Sums of a month's invoices and credit notes by currency and tax rate: the figures of a VAT return. */
import { type TaxSummaryRow, taxSummaryRow } from '../../contract/invoice/tax-summary.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { type Db, type Fragment, sql } from '../core/pool.ts';

/** @param month of the dates of issue as printed on the documents, such as `2026-11` */
export function readTaxSummary(db: Db, scope: Scope, month: string): Promise<readonly TaxSummaryRow[]> {
  return db.any(sql.type(taxSummaryRow)`
    with sums as (
      select document.currency, (line ->> 'tax_rate')::numeric as tax_rate, document.is_credit,
        sum((line ->> 'amount')::bigint) as gross, sum((line ->> 'tax_amount')::bigint) as tax
      from (
        select currency, line_items, false as is_credit from invoices
        where status <> 'void' and ${issuedIn(scope, month)}
        union all
        select currency, line_items, true from credit_notes where ${issuedIn(scope, month)}
      ) document, jsonb_array_elements(document.line_items) line
      group by 1, 2, 3
    ), by_rate as (
      select currency, tax_rate,
        coalesce(sum(gross) filter (where not is_credit), 0)::bigint as invoiced,
        coalesce(sum(tax) filter (where not is_credit), 0)::bigint as invoiced_tax,
        coalesce(sum(gross) filter (where is_credit), 0)::bigint as credited,
        coalesce(sum(tax) filter (where is_credit), 0)::bigint as credited_tax
      from sums group by 1, 2
    )
    select currency, tax_rate::float8 as tax_rate,
      ${sumsOf(sql.fragment`invoiced`, sql.fragment`invoiced_tax`)} as invoiced,
      ${sumsOf(sql.fragment`credited`, sql.fragment`credited_tax`)} as credited,
      ${sumsOf(sql.fragment`invoiced - credited`, sql.fragment`invoiced_tax - credited_tax`)} as total
    from by_rate order by currency, by_rate.tax_rate desc`);
}

/** Reads the month, with a day on either side to cover every time zone, from the index on `issued_at`. */
function issuedIn({ merchantId, environment }: Scope, month: string) {
  const start = sql.fragment`(${month} || '-01')::timestamp at time zone 'UTC'`;
  return sql.fragment`merchant_id = ${merchantId} and environment = ${environment}
    and issued_at >= ${start} - interval '1 day' and issued_at < ${start} + interval '1 month 1 day'
    and to_char(issued_at at time zone time_zone, 'YYYY-MM') = ${month}`;
}

function sumsOf(gross: Fragment, tax: Fragment): Fragment {
  return sql.fragment`jsonb_build_object('net', (${gross}) - (${tax}), 'tax', ${tax}, 'gross', ${gross})`;
}
