import { sql } from './pool.ts';

/**
 * `service_clock()` read once per statement. The function is volatile: PostgreSQL calls it for each row and compares
 * no column with it by an index. With 500,000 purchases that is a scan of the table.
 */
export const NOW = sql.fragment`(select service_clock())`;
