/** The responses of failing or slow endpoints, and how many deliveries wait for them. */
import { z } from 'zod';
import { FAILING_AFTER_SECONDS } from '../../domain/webhook/retry-schedule.ts';
import { type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';

type Fragment = ReturnType<typeof sql.fragment>;

/** Deliveries are counted up to this limit: an endpoint that has been down for days may have millions. */
const COUNTED = 10_000;

/** Selects (waiting, answered): how many deliveries are pending, and the HTTP status of their latest attempt. */
export const failureOf = (endpointId: Fragment): Fragment => sql.fragment`
  select count(*)::integer as waiting,
    (array_agg(last_status order by last_attempt_at desc) filter (where last_attempt_at is not null))[1] as answered
  from (
    select last_status, last_attempt_at from deliveries
    where endpoint_id = ${endpointId} and status = 'pending' order by next_attempt_at limit ${COUNTED}
  ) pending`;

/** The status of a row of `webhook_endpoints`, or `failing` if its latest attempts failed. */
export const STATUS_NOW = sql.fragment`
  case when webhook_endpoints.status = 'enabled' and failing_since is not null then 'failing'
    else webhook_endpoints.status end`;

/**
 * An endpoint that responds within this time accepts at least 32 events a second; if events still wait, the service
 * itself is late.
 */
const SLOW_MS = 1_000;

/**
 * Selects (took_ms): the average duration of the latest responses and time-outs; null if there was none in two
 * minutes.
 */
const answersOf = (endpointId: Fragment): Fragment => sql.fragment`
  select avg(duration_ms)::integer as took_ms from (
    select duration_ms from delivery_attempts
    where endpoint_id = ${endpointId} and at > ${NOW} - interval '2 minutes' order by at desc limit 20
  ) latest`;

/**
 * Selects (since, took_ms) if an endpoint's slow responses have delayed due deliveries for as long as an endpoint may
 * fail before it is reported.
 */
export const slownessOf = (endpointId: Fragment): Fragment => sql.fragment`
  select since, took_ms
  from (
    select min(next_attempt_at) as since from deliveries where endpoint_id = ${endpointId} and status = 'pending'
  ) oldest, (${answersOf(endpointId)}) answers
  where since <= ${NOW} - make_interval(secs => ${FAILING_AFTER_SECONDS}) and took_ms >= ${SLOW_MS}`;

/** True if due deliveries wait because of the receiver: it gets requests, and fails or is slow. */
export const holdsUp = (endpointId: Fragment, failingSince: Fragment): Fragment => sql.fragment`
  exists (select from (${answersOf(endpointId)}) answers
    where took_ms >= ${SLOW_MS} or took_ms is not null and ${failingSince} is not null)`;

/** True for a row of `webhook_endpoints` that accepts events, but too slowly. */
export const IS_SLOW = sql.fragment`
  (status = 'enabled' and failing_since is null and exists (${slownessOf(sql.fragment`webhook_endpoints.id`)}))`;

const failingNow = z.object({ failing: z.int(), longest: z.array(z.string()) });

/** The endpoints whose latest attempts failed: their number, and those failing longest with their latest responses. */
export function readFailingNow(db: Db, named: number): Promise<z.infer<typeof failingNow>> {
  return db.one(sql.type(failingNow)`
    with failing as (
      select id, failing_since from webhook_endpoints where status = 'enabled' and failing_since is not null
    ), longest as (
      select * from failing order by failing_since, id limit ${named}
    )
    select (select count(*)::integer from failing) as failing, coalesce((
      select array_agg(
        id || ' since ' || to_char(failing_since at time zone 'UTC', 'HH24:MI" UTC"') || coalesce((
          select ' (' || error || ')' from delivery_attempts
          where endpoint_id = longest.id and error is not null order by at desc limit 1), '')
        order by failing_since, id) from longest), '{}') as longest`);
}
