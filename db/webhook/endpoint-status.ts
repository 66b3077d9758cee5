/**
 * An endpoint's life cycle. Each change is a guarded update with an audit row, however long the backlog is. Pausing
 * leaves deliveries pending, and resuming sends them; deliveries missed while disabled are held until they are
 * recovered or resent (`backlog.ts`). Every change of status ends a recovery in progress.
 */

import { z } from 'zod';
import type { AuditAction } from '../../contract/merchant/audit.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { ENDPOINT_STATUSES, type EndpointStatus } from './endpoint-sleep.ts';
import type { EndpointRef } from './events.ts';

/** The status after the command; a command that does not fit the status changes nothing. */
export interface StatusChange {
  readonly changed: boolean;
  readonly status: EndpointStatus;
}

/** Pauses an `enabled` endpoint. Deliveries in progress finish; no others are sent. */
export function pauseEndpoint(pool: Pool, endpoint: EndpointRef, actor: Actor): Promise<StatusChange> {
  return changeStatus(pool, endpoint, actor, {
    action: 'webhook_endpoint.pause',
    from: ['enabled'],
    to: 'paused',
  });
}

/** Enables a `paused` or `disabled` endpoint. The caller wakes the endpoint afterwards. */
export function enableEndpoint(pool: Pool, endpoint: EndpointRef, actor: Actor): Promise<StatusChange> {
  const change = { action: 'webhook_endpoint.enable', from: ['paused', 'disabled'], to: 'enabled' } as const;
  return changeStatus(pool, endpoint, actor, change);
}

/** Deletes an endpoint for good. Its deliveries and their log stay until their retention ends. */
export function deleteEndpoint(pool: Pool, endpoint: EndpointRef, actor: Actor): Promise<StatusChange> {
  const change = {
    action: 'webhook_endpoint.delete',
    from: ['enabled', 'paused', 'disabled'],
    to: 'deleted',
  } as const;
  return changeStatus(pool, endpoint, actor, change);
}

interface Change {
  readonly action: AuditAction;
  readonly from: readonly EndpointStatus[];
  readonly to: EndpointStatus;
}

async function changeStatus(
  pool: Pool,
  endpoint: EndpointRef,
  actor: Actor,
  change: Change,
): Promise<StatusChange> {
  return pool.transaction(async (tx) => {
    const before = await lockStatus(tx, endpoint);
    if (!change.from.includes(before)) return { changed: false, status: before };
    await tx.query(sql.typeAlias('void')`
      update webhook_endpoints
      set status = ${change.to}, version = version + 1, updated_at = service_clock(), disabled_reason = null,
        held_through = case when ${change.to} = 'enabled' and status = 'disabled'
          then service_clock() else held_through end,
        failing_since = case when ${change.to} = 'enabled' then null else failing_since end,
        recover_since = null, recover_until = null
      where id = ${endpoint.endpointId}`);
    await writeAudit(tx, {
      ...endpoint,
      ...actor,
      action: change.action,
      subjectId: endpoint.endpointId,
      before: { status: before },
      after: { status: change.to },
    });
    return { changed: true, status: change.to };
  });
}

async function lockStatus(
  tx: Transaction,
  { endpointId, merchantId, environment }: EndpointRef,
): Promise<EndpointStatus> {
  const status = await tx.maybeOneFirst(sql.type(z.object({ status: z.enum(ENDPOINT_STATUSES) }))`
    select status from webhook_endpoints
    where id = ${endpointId} and merchant_id = ${merchantId} and environment = ${environment}
    for no key update`);
  // The endpoint's row may not exist while its workflow runs (rule 30).
  return status ?? 'deleted';
}
