/** Endpoints with due deliveries: for their drains, and for the sweep in case a drain or a signal was lost. */
import { z } from 'zod';
import { type Db, sql } from '../core/pool.ts';
import { isMissed } from './backlog.ts';
import { holdsWhatIsDue } from './endpoint-sleep.ts';
import { type EndpointRef, endpointRef } from './events.ts';

const dueEndpoint = z.object({ id: z.string() });

/** The given endpoints with a delivery that a lease would find now. */
export async function endpointsWithDue(db: Db, endpointIds: readonly string[]): Promise<readonly string[]> {
  return db.anyFirst(sql.type(dueEndpoint)`
    with moment as materialized (select service_clock() as at)
    select id from unnest(${sql.array([...endpointIds], 'text')}) as due (id)
    where exists (
      select from webhook_endpoints endpoint
      where endpoint.id = due.id and endpoint.status = 'enabled' and endpoint.hold_before is null
    ) and exists (
      select from deliveries
      where endpoint_id = due.id and status = 'pending' and next_attempt_at <= (select at from moment)
        and (leased_until is null or leased_until <= (select at from moment))
    )`);
}

/**
 * Enabled endpoints with a delivery that could have been leased this long ago, whatever `wakes_at` says, and those
 * whose backlog has not been moved.
 */
const overdueSince = (interval: '5 seconds' | '1 minute') => sql.fragment`
  with moment as materialized (select service_clock() - ${interval}::interval as late)
  select endpoint.id as endpoint_id, endpoint.merchant_id, endpoint.environment
  from webhook_endpoints endpoint
  where endpoint.status = 'enabled' and (
    endpoint.hold_before is not null or exists (
      select from deliveries
      where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at < (select late from moment)
        and (leased_until is null or leased_until < (select late from moment))
    ) or ${holdsWhatIsDue}
  ) or endpoint.status = 'disabled' and exists (
    select from deliveries delivery where endpoint_id = endpoint.id and ${isMissed}
  )`;

/** Endpoints that the sweep wakes. */
export async function endpointsOverdue(db: Db): Promise<readonly EndpointRef[]> {
  return db.any(sql.type(endpointRef)`${overdueSince('5 seconds')}`);
}

/**
 * Endpoints that are still overdue although the sweep's previous round woke them; most are draining a backlog. In
 * random order, so that no endpoint starves.
 */
export async function endpointsLongOverdue(db: Db, limit: number): Promise<readonly EndpointRef[]> {
  return db.any(sql.type(endpointRef)`${overdueSince('1 minute')} order by random() limit ${limit}`);
}

/** @returns null if the endpoint is deleted */
export function findEndpointRef(db: Db, id: string): Promise<EndpointRef | null> {
  return db.maybeOne(sql.type(endpointRef)`
    select id as endpoint_id, merchant_id, environment
    from webhook_endpoints where id = ${id} and status <> 'deleted'`);
}
