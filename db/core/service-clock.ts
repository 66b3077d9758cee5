import { sql } from './pool.ts';

/**
 * The database's clock for comparisons with columns. `service_clock()` is volatile: PostgreSQL calls it for
 * each row and uses no index. `service_now()` is stable: called once per scan, and known to the planner,
 * which for an unknown value expects a third of the table.
 */
export const NOW = sql.fragment`service_now()`;
