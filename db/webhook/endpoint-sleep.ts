/**
 * When an endpoint's workflow checks next (rule 22): `wakes_at` is minus infinity while it drains, the next attempt's
 * instant while it sleeps, infinity when nothing is due. Of several writers with an earlier delivery, one signals
 * (`woken_at`). The drain commits its new `wakes_at` and clears `woken_at`, then checks again in another transaction:
 * either the drain or the writer sees each delivery.
 */
import { z } from 'zod';
import { camelCased, type Db, sql } from '../core/pool.ts';
import { type BatchOptions, moveBacklog } from './backlog.ts';
import { type EndpointRef, endpointRefRow } from './events.ts';

export const ENDPOINT_STATUSES = ['enabled', 'paused', 'disabled', 'deleted'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];
const status = z.enum(ENDPOINT_STATUSES);
/** True for an `endpoint` with held deliveries, written after it was enabled by a writer that still saw it disabled. */
export const holdsWhatIsDue = sql.fragment`exists (
  select from deliveries
  where endpoint_id = endpoint.id and status = 'held'
    and created_at > coalesce(endpoint.held_through, '-infinity')
)`;

const awake = camelCased({
  status,
  failing: z.boolean(),
  /** Deliveries must be held or released before the drain (`backlog.ts`). */
  must_move: z.boolean(),
});

/** Marks the endpoint as awake, so that writers need not signal. @returns null when the row does not exist (rule 30) */
export async function markAwake(db: Db, endpointId: string) {
  return db.maybeOne(sql.type(awake)`
    update webhook_endpoints endpoint set wakes_at = '-infinity'
    where id = ${endpointId}
    returning status, failing_since is not null as failing,
      hold_before is not null or ${holdsWhatIsDue} as must_move`);
}

const sleepPlan = camelCased({
  status,
  /** True if a delivery is due before the planned sleep ends, or the backlog has not been moved: do not sleep. */
  missed: z.boolean(),
  /** Unix milliseconds by PostgreSQL's clock; null means to sleep until a signal. */
  sleep_ms: z.number().nullable(),
  /** Deliveries awaiting their next attempt; 10,001 means more than 10,000. */
  waiting: z.int(),
  /** When the oldest waiting delivery was written. */
  waiting_since: z.string().nullable(),
  failing_since: z.string().nullable(),
  disabled_reason: z.string().nullable(),
});
export type SleepPlan = z.infer<typeof sleepPlan>;

/** Moves the backlog, stores when the workflow checks next, then checks again in a new transaction. */
export async function planSleep(db: Db, endpointId: string, options: BatchOptions = {}): Promise<SleepPlan> {
  let isMoved = true;
  if (await storeWakeUp(db, endpointId)) {
    isMoved = await moveBacklog(db, endpointId, options);
    await storeWakeUp(db, endpointId);
  }
  const plan = await db.one(sql.type(sleepPlan)`
    select endpoint.status,
      endpoint.status = 'enabled' and (endpoint.hold_before is not null
        or coalesce((${nextDue(endpointId)}) < endpoint.wakes_at, false)) as missed,
      case when isfinite(endpoint.wakes_at)
        then greatest(0, ms_between(service_clock(), endpoint.wakes_at)) end as sleep_ms,
      waiting.count as waiting, waiting.since as waiting_since,
      endpoint.failing_since, endpoint.disabled_reason
    from webhook_endpoints endpoint, (
      select count(*)::int4 as count, min(created_at) as since
      from (
        select created_at from deliveries
        where endpoint_id = ${endpointId} and status = 'pending' limit 10001
      ) as some_pending
    ) as waiting
    where endpoint.id = ${endpointId}`);
  return { ...plan, missed: plan.missed || !isMoved };
}

/** @returns whether deliveries must be held or released */
function storeWakeUp(db: Db, endpointId: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ must_move: z.boolean() }))`
    update webhook_endpoints endpoint
    set woken_at = null,
      wakes_at = case status when 'enabled' then coalesce((${nextDue(endpointId)}), 'infinity') else 'infinity' end
    where id = ${endpointId}
    returning hold_before is not null or ${holdsWhatIsDue} as must_move`);
}

/**
 * When a pending delivery can be leased next: its due time, or the end of a killed worker's lease. Leases are few, so
 * reading the nearest thousand deliveries suffices.
 */
const nextDue = (endpointId: string) => sql.fragment`
  select min(greatest(next_attempt_at, coalesce(leased_until, '-infinity')))
  from (
    select next_attempt_at, leased_until from deliveries
    where endpoint_id = ${endpointId} and status = 'pending'
    order by next_attempt_at limit 1000
  ) as nearest`;

const notifiedEndpoint = camelCased({ ...endpointRefRow, asleep: z.boolean() });

/**
 * Announces new deliveries: notifies running drains, and returns the sleeping endpoints to wake. Call it in a separate
 * statement after the commit, because earlier wake-ups would be lost (rule 22). Statements that notify write nothing,
 * so that NOTIFY's lock delays no other commit.
 */
export async function endpointsToWake(db: Db, eventIds: readonly string[]): Promise<readonly EndpointRef[]> {
  // Deliveries first, through the events' index: a plan that begins with endpoints reads a dead endpoint's whole
  // backlog for every event (measured: 614 blocks instead of 7).
  const statement = sql.type(notifiedEndpoint)`
    with written as materialized (
      select endpoint_id, next_attempt_at, status from deliveries
      where event_id = any (${sql.array([...eventIds], 'text')})
    )
    select endpoint_id, merchant_id, environment, asleep,
      case when not asleep then pg_notify('delivery_due', endpoint_id)::text end as notified
    from (
      select endpoint.id as endpoint_id, endpoint.merchant_id, endpoint.environment,
        bool_or(endpoint.wakes_at > written.next_attempt_at) as asleep
      from written join webhook_endpoints endpoint on endpoint.id = written.endpoint_id
      where written.status = 'pending' and endpoint.status = 'enabled' and endpoint.hold_before is null
      group by endpoint.id
    ) as notified_endpoint`;
  const endpoints = await db.any(statement);
  const sleeping = endpoints.filter(({ asleep }) => asleep).map(({ asleep, ...endpoint }) => endpoint);
  return sleeping.length === 0 ? [] : markWoken(db, sleeping);
}

const wokenEndpoint = z.object({ id: z.string() });

/**
 * Leaves out endpoints that were just woken. Each signal causes a workflow task, and a stream of them keeps the drain
 * from starting (measured: ten events a second delayed it by five seconds). Later writers rely on the first signal:
 * `planSleep` clears the flag as it commits, then checks again, and so sees deliveries committed before. A row locked
 * by another writer is not checked, which costs an unnecessary signal.
 */
async function markWoken(db: Db, sleeping: readonly EndpointRef[]): Promise<readonly EndpointRef[]> {
  const ids = sql.array(
    sleeping.map(({ endpointId }) => endpointId),
    'text',
  );
  const recent = await db.anyFirst(sql.type(wokenEndpoint)`
    with moment as materialized (
      select service_clock() as at
    ), recent as materialized (
      select id from webhook_endpoints, moment
      where id = any (${ids}) and woken_at between moment.at - interval '1 second' and moment.at
    ), free as materialized (
      select id from webhook_endpoints
      where id = any (${ids}) and id not in (select id from recent)
      for no key update skip locked
    ), flagged as (
      update webhook_endpoints set woken_at = moment.at
      from moment, free where webhook_endpoints.id = free.id
    )
    select id from recent`);
  return sleeping.filter(({ endpointId }) => !recent.includes(endpointId));
}
