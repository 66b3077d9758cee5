/** SQL fragments about a subscription's next period, its end and its due actions. */
import { type Fragment, sql } from '../../core/pool.ts';

/** Returns when its next period starts; null during a pause without an end date, and while it is held. */
export function nextPeriodAt(of: Fragment) {
  return sql.fragment`case when ${of}.cancel_at_period_end then ${of}.current_period_end
    when ${of}.charging_stopped_at is not null then null
    when ${of}.status = 'paused' or ${of}.pause_at_period_end then ${of}.resumes_at
    else ${of}.current_period_end end`;
}

/** The end of subscription `s`'s retry schedule; null without one. */
export const retriesEnd = sql.fragment`(s.dunning #>> '{retries,-1}')::timestamptz`;

/** True unless subscription `s` ends with its current period, or before. */
export const continues = sql.fragment`(not s.ends_with_period and s.cancel_requested_at is null)`;

/** True if unpaid invoices of subscription `s` are not charged again: charging has stopped, or it ends first. */
export const endsUncharged = sql.fragment`(s.charging_stopped_at is not null or s.cancel_requested_at is not null or coalesce(s.cancel_at_period_end
  and case when s.collects then s.dunning is not null and s.charge_at > greatest(s.current_period_end, ${retriesEnd})
    else s.dunning is not null or s.charge_at > s.current_period_end end, false))`;
