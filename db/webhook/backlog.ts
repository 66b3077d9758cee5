/**
 * Moves an endpoint's backlog in batches, each in its own transaction: a single statement for hundreds of thousands of
 * deliveries would exceed the statement time-out, and roll the change of status back (rule 23). The rows show the
 * remaining work, so that another run continues where an interrupted run stopped.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';

/** Measured with a backlog of 300,000 under load on two cores: 2,000 take 70 ms, 5,000 take 290 ms. */
const MOVED_AT_ONCE = 2_000;
/** Pause while another transaction (a lease, a result or a recovery) briefly locks rows. */
const LOOK_AGAIN_MS = 50;

/**
 * True for a delivery that waits until its endpoint is enabled: held, or pending for an endpoint that is not enabled.
 * Pausing an endpoint leaves its deliveries pending, and leases skip an endpoint that is not enabled.
 */
export const isHeld = sql.fragment`
  (delivery.status = 'held' or delivery.status = 'pending' and endpoint.status <> 'enabled')`;

/** The displayed status of `delivery` to `endpoint`. */
export const shownStatus = sql.fragment`case when ${isHeld} then 'held' else delivery.status end`;

/**
 * True for a pending `delivery` that `endpoint` missed when it was disabled, and that was not requested since: a
 * resend or a recovery makes it due immediately, on a new round of attempts. It was missed if
 * - an attempt counts in its round, including one that was under way and has made it due later;
 * - or it was due by the time of the disabling;
 * - or it is due since its creation, and the endpoint has not been enabled since (`held_through`): until a disabling
 * commits, a writer sees the endpoint enabled, and its delivery is newer than `hold_before`.
 */
export const isMissed = sql.fragment`
  (delivery.status = 'pending' and endpoint.hold_before is not null
    and (delivery.round_attempts > 0 or delivery.next_attempt_at <= endpoint.hold_before
      or delivery.next_attempt_at <= delivery.created_at
        and (endpoint.status = 'disabled' or delivery.created_at <= endpoint.held_through)))`;

export interface BatchOptions {
  readonly limit?: number | undefined;
  /** Called after each batch, and while rows are locked. */
  readonly moved?: (() => void) | undefined;
  /** Aborted when the worker shuts down. */
  readonly stop?: AbortSignal | undefined;
}

/**
 * Holds deliveries missed by a disabled endpoint; then, if it is enabled, releases those written after that by a
 * writer that still saw it disabled. Safe to run twice, even concurrently.
 * @returns false if it was stopped before the end
 */
export async function moveBacklog(
  db: Db,
  endpointId: string,
  { limit = MOVED_AT_ONCE, moved: onMoved, stop }: BatchOptions = {},
): Promise<boolean> {
  while (!stop?.aborted) {
    const { moved, holding, enabled } = await moveBatch(db, endpointId, limit);
    if (moved < limit) {
      if (!holding) return true;
      if (await endHolding(db, endpointId)) {
        if (!enabled) return true;
        continue;
      }
      // Rows locked by others are skipped, because waiting for them could deadlock.
      await pause(LOOK_AGAIN_MS);
    }
    onMoved?.();
  }
  return false;
}

const batch = z.object({ moved: z.int(), holding: z.boolean(), enabled: z.boolean() });

/** Oldest first. An array of ids keeps the update on the primary key: a join could read all of the endpoint's deliveries. */
function moveBatch(db: Db, endpointId: string, limit: number) {
  return db.one(sql.type(batch)`
    with endpoint as materialized (
      select id, status, status = 'enabled' as enabled, hold_before, coalesce(held_through, '-infinity') as held_through,
        hold_before is not null and status <> 'deleted' as holding
      from webhook_endpoints where id = ${endpointId}
    ), missed as materialized (
      select delivery.event_id from deliveries delivery, endpoint
      where delivery.endpoint_id = ${endpointId} and (select holding from endpoint) and ${isMissed}
      order by delivery.next_attempt_at
      limit ${limit}
      for update of delivery skip locked
    ), released as materialized (
      select event_id from deliveries
      where endpoint_id = ${endpointId} and (select enabled and not holding from endpoint) and status = 'held'
        and created_at > (select held_through from endpoint)
      order by created_at, event_id
      limit ${limit}
      for update skip locked
    ), moved as (
      update deliveries set status = case status when 'held' then 'pending' else 'held' end
      where endpoint_id = ${endpointId}
        and event_id = any (array(select event_id from missed union all select event_id from released))
      returning event_id
    )
    select (select count(*)::int4 from moved) as moved, coalesce((select holding from endpoint), false) as holding,
      coalesce((select enabled from endpoint), false) as enabled`);
}

/**
 * Clears `hold_before` once nothing is left to hold. A disabled endpoint keeps it until it is enabled, because a writer
 * that still saw the endpoint enabled may commit late.
 * @returns whether nothing is left to hold
 */
function endHolding(db: Db, endpointId: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ done: z.boolean() }))`
    with endpoint as materialized (
      select id, status, hold_before, held_through from webhook_endpoints where id = ${endpointId}
    ), looked as materialized (
      select not exists (
        select from deliveries delivery, endpoint where delivery.endpoint_id = ${endpointId} and ${isMissed}
      ) as done
    ), ended as (
      -- Keep hold_before if the endpoint has been disabled again.
      update webhook_endpoints set hold_before = null
      where id = ${endpointId} and status in ('enabled', 'paused') and (select done from looked)
        and hold_before = (select hold_before from endpoint)
    )
    select done from looked`);
}
