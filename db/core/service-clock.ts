import { type Fragment, sql } from './pool.ts';

/**
 * The database's clock for comparisons with columns. `service_clock()` is volatile: PostgreSQL calls it for each row
 * and uses no index. `service_now()` is stable: PostgreSQL calls it once per scan, and the planner knows its value.
 * Without the value, the planner would expect a third of the table to match.
 */
export const NOW = sql.fragment`service_now()`;

/** Formats an instant inside JSON and text; the pool formats those in columns. */
export const isoInstant = (instant: Fragment) =>
  sql.fragment`to_char((${instant}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
