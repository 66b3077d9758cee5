/**
 * Announcements of periods that were running when an endpoint began to list the event. A period that begins later has
 * its announcement from the start, if an endpoint lists the event then.
 */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';

/**
 * Schedules the announcements of a batch of subscriptions, if their instant is still to come. One that has passed may
 * have been announced to another endpoint. The sweep's recovery wakes the subscriptions.
 *
 * @param endpointId null for a random endpoint that has subscriptions left, so that a large merchant does not hold up others
 * @returns whether any endpoint was found; the rest of its subscriptions is left to the next call
 */
export async function announceRunning(db: Db, endpointId: string | null, limit = 500): Promise<boolean> {
  const found = await db.maybeOne(sql.type(z.object({ id: z.string() }))`
    with endpoint as materialized (
      select id, merchant_id, environment, announcements_after from webhook_endpoints
      where announcements_after is not null and (${endpointId}::text is null or id = ${endpointId})
      order by random() limit 1 for no key update
    ), batch as materialized (
      select s.id, s.announce_at, s.current_period_start as start, s.current_period_end as "end",
        announcement_days(s.merchant_id, s.environment,
          case s.status when 'trialing' then 'subscription.trial_ending' else 'subscription.renewal_upcoming' end) as days
      from endpoint join subscriptions s using (merchant_id, environment)
      where s.id > announcements_after and s.status in ('trialing', 'active', 'past_due')
      order by s.id limit ${limit}
    ), scheduled as (
      update subscriptions s set announce_at = due.at,
        -- What is past due announces its next renewal once it is paid.
        next_action_at = case when ends_with_period or pause_at_period_end or status = 'past_due' then next_action_at
          else least(next_action_at, due.at) end
      from (
        select id, "end", greatest(start, "end" - days * interval '1 day') as at from batch
        where announce_at is null and days > 0
      ) due
      -- A period that began since has its own announcement.
      where s.id = due.id and s.current_period_end = due."end" and s.announce_at is null
        and due.at > subscription_clock(s.id)
    )
    update webhook_endpoints e set announcements_after = (
      select max(id) from batch having count(*) = ${limit}
    )
    from endpoint where e.id = endpoint.id
    returning e.id
  `);
  return found !== null;
}
