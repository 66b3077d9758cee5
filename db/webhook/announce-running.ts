/**
 * Announcements of periods that were running when an endpoint began to list the event. A period that begins later has
 * its announcement from the start, if an endpoint lists the event then.
 */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';

/**
 * Schedules the soonest announcements whose instant is still to come. One that has passed may have been announced to
 * another endpoint. The sweep's recovery wakes the subscriptions.
 *
 * @param endpointId null for all endpoints
 * @returns how many announcements are left to the next call
 */
export function announceRunning(db: Db, endpointId: string | null, limit = 500): Promise<number> {
  return db.oneFirst(sql.type(z.object({ left: z.number() }))`
    with listing as materialized (
      select id, merchant_id, environment, updated_at from webhook_endpoints
      where announces_running and (${endpointId}::text is null or id = ${endpointId})
    ), scope as materialized (
      select merchant_id, environment,
        announcement_days(merchant_id, environment, 'subscription.trial_ending') as trial_days,
        announcement_days(merchant_id, environment, 'subscription.renewal_upcoming') as renewal_days
      from listing group by merchant_id, environment
    ), running as materialized (
      select s.id, s.current_period_end as "end", due.at
      from scope join subscriptions s using (merchant_id, environment)
      cross join lateral (select s.current_period_end - interval '1 day' *
        nullif(case s.status when 'trialing' then trial_days else renewal_days end, 0) as at) due
      where s.status in ('trialing', 'active', 'past_due') and s.announce_at is null
        and due.at > subscription_clock(s.id)
    ), scheduled as (
      update subscriptions s set announce_at = due.at,
        -- What is past due announces its next renewal once it is paid.
        next_action_at = case when ends_with_period or pause_at_period_end or status = 'past_due' then next_action_at
          else least(next_action_at, due.at) end
      from (select * from running order by at limit ${limit}) due
      -- A period that began since has its own announcement.
      where s.id = due.id and s.current_period_end = due."end" and s.announce_at is null
    ), counted as materialized (
      select greatest(0, count(*) - ${limit}) as "left" from running
    ), done as (
      update webhook_endpoints e set announces_running = false
      from listing l, counted
      -- One that was changed since may list more.
      where e.id = l.id and e.updated_at = l.updated_at and counted."left" = 0
    )
    select "left" from counted
  `);
}
