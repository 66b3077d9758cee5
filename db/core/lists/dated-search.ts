/** Lists of the dashboard that are ordered by the rows' own dates and narrowed by status and period. */

import { sql } from '../pool.ts';
import type { ListSearch } from './list-search.ts';

export type DatedSearch = Omit<ListSearch, 'term' | 'after'>;

/** Unix milliseconds and id of the last row of the previous page. */
export type DatedPosition = readonly [number, string];

const DATES = { refunds: 'created_at', disputes: 'opened_at' } as const;

/**
 * Selects the newest ids by reading a page per status from the index, so that a rare status does not cause a scan of
 * all rows.
 * @param statuses every status, for a search that names none
 */
export function newestByDate(
  table: keyof typeof DATES,
  { scope, status, from, to, limit }: DatedSearch,
  after: DatedPosition | null,
  statuses: readonly string[],
) {
  const at = sql.fragment`unix_ms(${sql.identifier(['row', DATES[table]])})`;
  return sql.fragment`
    select newest.id
    from unnest(${sql.array(status === null ? [...statuses] : [status], 'text')}) of_status (status) cross join lateral (
      select row.id from ${sql.identifier([table])} row
      where row.merchant_id = ${scope.merchantId} and row.environment = ${scope.environment}
        and row.status = of_status.status
        ${from === null ? sql.fragment`` : sql.fragment`and ${at} >= unix_ms(${from}::timestamptz)`}
        ${to === null ? sql.fragment`` : sql.fragment`and ${at} < unix_ms(${to}::timestamptz)`}
        ${after === null ? sql.fragment`` : sql.fragment`and (${at}, row.id) < (${after[0]}::bigint, ${after[1]})`}
      order by ${at} desc, row.id desc
      limit ${limit}
    ) newest`;
}
