/** Returns when a subscription's next period starts; null during a pause without an end date, and while it is held. */
import { sql } from '../../core/pool.ts';

export function nextPeriodAt(of: ReturnType<typeof sql.fragment>) {
  return sql.fragment`case when ${of}.cancel_at_period_end then ${of}.current_period_end
    when ${of}.charging_stopped_at is not null then null
    when ${of}.status = 'paused' or ${of}.pause_at_period_end then ${of}.resumes_at
    else ${of}.current_period_end end`;
}
