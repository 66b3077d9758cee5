/**
 * Announces periods that had already begun when an endpoint first listed the event. For later periods, the announcement
 * is scheduled when the period begins, if an endpoint lists the event by then.
 */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';

/**
 * Schedules the soonest announcements that are still ahead: earlier ones may have been sent to another endpoint. The
 * sweep's recovery wakes the subscriptions.
 * @param endpointId null for all endpoints
 * @returns true if announcements are left for the next call
 */
export function announceRunning(db: Db, endpointId: string | null, limit = 500): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ more: z.boolean() }))`
    with clock as materialized (
      select service_clock() as at
    ), listing as materialized (
      select id, merchant_id, environment, updated_at from webhook_endpoints
      where announces_running and (${endpointId}::text is null or id = ${endpointId})
    ), kind as materialized (
      select merchant_id, environment, status, announcement_days(merchant_id, environment, type) * interval '1 day' as ahead
      from (select distinct merchant_id, environment from listing) scope
      cross join (values ('trialing', 'subscription.trial_ending'), ('active', 'subscription.renewal_upcoming'),
        ('past_due', 'subscription.renewal_upcoming')) of (status, type)
    ), running as materialized (
      select soonest.* from kind cross join lateral (
        select s.id, s.current_period_end as "end", s.current_period_end - ahead as at
        from subscriptions s, clock
        where s.merchant_id = kind.merchant_id and s.environment = kind.environment and s.status = kind.status
          and s.announce_at is null and s.current_period_end > clock.at + ahead
          and s.current_period_end - ahead > subscription_clock(s.id)
        order by s.current_period_end limit ${limit + 1}
      ) soonest
      where ahead > interval '0'
    ), scheduled as (
      update subscriptions s set announce_at = due.at,
        -- A past-due subscription announces its next renewal once it is paid.
        next_action_at = case when ends_with_period or pause_at_period_end or status = 'past_due'
            or charging_stopped_at is not null then next_action_at
          else least(next_action_at, due.at) end
      from (select * from running order by at limit ${limit}) due
      -- If another period has begun since, it has its own announcement.
      where s.id = due.id and s.current_period_end = due."end" and s.announce_at is null
    ), counted as materialized (
      select count(*) > ${limit} as more from running
    ), done as (
      update webhook_endpoints e set announces_running = false
      from listing l, counted
      -- An endpoint that has been changed since may list more events.
      where e.id = l.id and e.updated_at = l.updated_at and not counted.more
    )
    select more from counted
  `);
}
