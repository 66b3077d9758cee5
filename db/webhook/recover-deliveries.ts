/**
 * Recovers the deliveries that an endpoint missed, in batches driven by the workflow `recoverDeliveries`. The requested
 * range stays in the endpoint's row until it is recovered, so that another run can replace a lost one (rule 16).
 */
import { z } from 'zod';
import { type Actor, writeAudit } from '../core/audit.ts';
import { camelCased, type Db, type Pool, sql } from '../core/pool.ts';
import { isMissed } from './backlog.ts';
import { ENDPOINT_STATUSES } from './endpoint-sleep.ts';
import { type EndpointRef, endpointRefRow } from './events.ts';

export interface RecoveryBatch {
  readonly endpointId: string;
  /** ISO 8601: deliveries written from `since` up to `until`. */
  readonly since: string;
  readonly until: string;
  /** `next` of the previous batch; null for the first. */
  readonly after: RecoveryPosition | null;
  readonly limit: number;
}

const position = z.object({ createdAt: z.string(), eventId: z.string() });
type RecoveryPosition = z.infer<typeof position>;

export interface RecoveredBatch {
  readonly recovered: number;
  /** Null after the last batch. */
  readonly next: RecoveryPosition | null;
}

/**
 * Makes exhausted and held deliveries, and failed ones that await another attempt, due now on a new round of the
 * schedule. Includes deliveries whose last attempt is in progress, which could otherwise become exhausted after the
 * recovery. A batch is idempotent; the one that finds nothing ends the recovery. Nothing becomes due for an endpoint
 * that is not enabled.
 */
export async function recoverBatch(db: Db, batch: RecoveryBatch): Promise<RecoveredBatch> {
  const { endpointId, since, until, after, limit } = batch;
  // Exhausted and held deliveries have an index in this order; the endpoint's pending ones are read and sorted. With
  // "or", all of the endpoint's deliveries would be read, including those delivered in the last ninety days.
  const from = (condition: ReturnType<typeof sql.fragment>) => sql.fragment`(
    select event_id, created_at from deliveries
    where endpoint_id = ${endpointId} and created_at >= ${since}::timestamptz and created_at < ${until}::timestamptz
      and (${after?.createdAt ?? null}::timestamptz is null
        or (created_at, event_id) > (${after?.createdAt ?? null}::timestamptz, ${after?.eventId ?? null}))
      and ${condition}
    order by created_at, event_id limit ${limit})`;
  return db.one(sql.type(z.object({ recovered: z.int(), next: position.nullable() }))`
    with moment as materialized (
      select service_clock() as at
    ), endpoint as materialized (
      select hold_before is not null as holding from webhook_endpoints where id = ${endpointId} and status = 'enabled'
    ), found as materialized (
      select event_id, created_at from (
        ${from(sql.fragment`status = 'exhausted'`)} union all ${from(sql.fragment`status = 'held'`)} union all
        -- Missed deliveries may still be pending.
        ${from(sql.fragment`status = 'pending' and (round_attempts > 0 or (select holding from endpoint))`)}
      ) parts
      where exists (select from endpoint)
      order by created_at, event_id limit ${limit}
    ), missed as materialized (
      select delivery.event_id, delivery.created_at
      from deliveries delivery
      where delivery.endpoint_id = ${endpointId} and delivery.event_id = any (array(select event_id from found))
        and delivery.status <> 'succeeded'
      order by delivery.created_at, delivery.event_id
      for update of delivery
    ), recovered as (
      update deliveries
      set status = 'pending', round_attempts = 0, next_attempt_at = moment.at
      from missed, moment
      where deliveries.endpoint_id = ${endpointId} and deliveries.event_id = missed.event_id
      returning deliveries.event_id
    ), ended as (
      update webhook_endpoints set recover_since = null, recover_until = null
      where id = ${endpointId} and recover_until = ${until}::timestamptz and exists (select from endpoint)
        and not exists (select from found)
    )
    select (select count(*)::int4 from recovered) as recovered, case when exists (select from endpoint) then (
      select json_build_object('createdAt', created_at::text, 'eventId', event_id)
      from found order by created_at desc, event_id desc limit 1
    ) else ${sql.jsonb(after ?? { createdAt: since, eventId: '' })}::json end as next`);
}

/** Selects the time of the oldest event that an endpoint missed while it was disabled. */
export const oldestMissed = (endpointId: ReturnType<typeof sql.fragment>) => sql.fragment`
  select min(created_at) as missed_since
  from (
    select created_at from deliveries where endpoint_id = ${endpointId} and status = 'held'
    union all
    select delivery.created_at from deliveries delivery join webhook_endpoints endpoint on endpoint.id = endpoint_id
    where endpoint_id = ${endpointId} and ${isMissed}
  ) as missed`;

/** @returns the time of the oldest event that an endpoint missed while it was disabled; null if it missed none */
export function oldestHeld(db: Db, endpointId: string): Promise<string | null> {
  return db.oneFirst(sql.type(z.object({ missed_since: z.string().nullable() }))`
    ${oldestMissed(sql.fragment`${endpointId}`)}`);
}

/** The endpoint's status and backlog, checked between the batches of a recovery. */
export async function readBacklog(db: Db, endpointId: string) {
  const backlog = await db.maybeOne(sql.type(z.object({ status: z.enum(ENDPOINT_STATUSES), due: z.int() }))`
    select status, (
      select count(*)::int4 from (
        select from deliveries
        where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at <= (select service_clock())
        limit 10000
      ) as some_due
    ) as due
    from webhook_endpoints endpoint where id = ${endpointId}`);
  // The endpoint's row does not exist (rule 30).
  return backlog ?? { status: 'deleted' as const, due: 0 };
}

/**
 * Stores a request to recover the endpoint's missed events since an instant, with an audit row.
 * @returns the end of the range, by the database's clock; null while another recovery is in progress, or if the
 * endpoint has been disabled
 */
export function beginRecovery(
  pool: Pool,
  { merchantId, environment, endpointId }: EndpointRef,
  since: string,
  actor: Actor,
): Promise<string | null> {
  return pool.transaction(async (tx) => {
    // In milliseconds, because the workflow's input contains this instant with that precision.
    const until = await tx.maybeOneFirst(sql.type(z.object({ until: z.string() }))`
      update webhook_endpoints
      set recover_since = ${since}::timestamptz, recover_until = date_trunc('milliseconds', service_clock())
      where id = ${endpointId} and merchant_id = ${merchantId} and environment = ${environment}
        and recover_until is null and status = 'enabled'
      returning recover_until as until`);
    if (until === null) return null;
    await writeAudit(tx, {
      ...actor,
      merchantId,
      environment,
      action: 'webhook_endpoint.recover_requested',
      subjectId: endpointId,
      before: null,
      after: { since, until },
    });
    return until;
  });
}

/**
 * True if the endpoint's row still requests this recovery: it may have finished, or the endpoint's status may have
 * changed.
 */
export function isUnfinished(db: Db, endpointId: string, until: string): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from webhook_endpoints where id = ${endpointId} and recover_until = ${until}::timestamptz`);
}

const unfinished = camelCased({ ...endpointRefRow, since: z.string(), until: z.string() });

/** Recoveries that have not finished a minute after they were requested, in random order; most are in progress. */
export function unfinishedRecoveries(db: Db, limit: number) {
  return db.any(sql.type(unfinished)`
    select id as endpoint_id, merchant_id, environment, recover_since as since, recover_until as until
    from webhook_endpoints
    where recover_until < service_now() - interval '1 minute' and status = 'enabled'
    order by random() limit ${limit}`);
}
