import { sql } from './pool.ts';
import { NOW } from './service-clock.ts';

/**
 * True once the row is three minutes late. By then the sweep has sent two wake-ups, after one minute and after two,
 * unless a task of the run waits for a worker.
 * @param since when the row should have acted, by the service's clock
 */
export function isLongOverdue(since = sql.fragment`next_action_at`) {
  return sql.fragment`${since} < ${NOW} - interval '3 minutes' as is_long_overdue`;
}
