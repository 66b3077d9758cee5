import { sql } from './pool.ts';
import { NOW } from './service-clock.ts';

/**
 * After this time, the sweep has sent two wake-ups: one each minute once the row is a minute late, unless a task of
 * the run is waiting for a worker.
 * @param since when the row should have acted, by the service's clock
 */
export function isLongOverdue(since = sql.fragment`next_action_at`) {
  return sql.fragment`${since} < ${NOW} - interval '3 minutes' as is_long_overdue`;
}
