/** Recovers the deliveries that an endpoint missed, in batches driven by the workflow `recoverDeliveries`. */
import { z } from 'zod';
import type { Environment } from '../../domain/core/environment.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Db, sql } from '../core/pool.ts';
import { ENDPOINT_STATUSES } from './endpoint-sleep.ts';

export interface RecoveryBatch {
  readonly endpointId: string;
  /** ISO 8601: deliveries written from `since` up to `until`. */
  readonly since: string;
  readonly until: string;
  /** `next` of the previous batch; null to begin with. */
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
 * schedule. Includes a delivery whose last attempt is under way: it would be exhausted after the recovery has passed. A
 * batch that runs twice finds only what the first run left.
 */
export async function recoverBatch(db: Db, batch: RecoveryBatch): Promise<RecoveredBatch> {
  const { endpointId, since, until, after, limit } = batch;
  return db.one(sql.type(z.object({ recovered: z.int(), next: position.nullable() }))`
    with moment as materialized (
      select service_clock() as at
    ), missed as materialized (
      select event_id, created_at
      from deliveries
      where endpoint_id = ${endpointId} and created_at >= ${since}::timestamptz and created_at < ${until}::timestamptz
        and (status in ('exhausted', 'held') or status = 'pending' and round_attempts > 0)
        and (${after?.createdAt ?? null}::timestamptz is null
          or (created_at, event_id) > (${after?.createdAt ?? null}::timestamptz, ${after?.eventId ?? null}))
      order by created_at, event_id
      limit ${limit}
      for update of deliveries
    ), recovered as (
      update deliveries
      set status = 'pending', round_attempts = 0, next_attempt_at = moment.at
      from missed, moment
      where deliveries.endpoint_id = ${endpointId} and deliveries.event_id = missed.event_id
      returning deliveries.event_id
    )
    select (select count(*)::int4 from recovered) as recovered, (
      select json_build_object('createdAt', created_at::text, 'eventId', event_id)
      from missed order by created_at desc, event_id desc limit 1
    ) as next`);
}

/** @returns when the oldest event that an endpoint missed while it was disabled was written; null without one */
export function oldestHeld(db: Db, endpointId: string): Promise<string | null> {
  return db.oneFirst(sql.type(z.object({ at: z.string().nullable() }))`
    select to_char(min(created_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from deliveries where endpoint_id = ${endpointId} and status = 'held'`);
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
  // The row of the endpoint is gone (rule 30).
  return backlog ?? { status: 'deleted' as const, due: 0 };
}

/**
 * The end of the recovered range, by the database's clock. The audit row is written before the workflow starts, so that
 * every recovery has one; it also stays when another recovery is already running.
 */
export async function beginRecovery(
  db: Db,
  endpoint: { readonly merchantId: string; readonly environment: Environment; readonly endpointId: string },
  since: string,
  { actor, reason, requestId }: Actor,
): Promise<{ readonly until: string }> {
  const { merchantId, environment, endpointId } = endpoint;
  const until = await db.oneFirst(sql.type(z.object({ at: z.string() }))`select service_clock() as at`);
  await writeAudit(db, {
    merchantId,
    environment,
    actor,
    action: 'webhook_endpoint.recover_requested',
    subjectId: endpointId,
    requestId: requestId ?? null,
    before: null,
    after: { since, until, ...(reason ? { reason } : {}) },
  });
  return { until };
}
