/** Webhook endpoints, for the management API. Each change writes an audit row. */

import { z } from 'zod';
import type { EventType } from '../../contract/webhook/events.ts';
import {
  MAX_ENDPOINTS,
  type WebhookEndpoint,
  webhookEndpoint,
} from '../../contract/webhook/webhook-endpoints.ts';
import type { Environment, Scope } from '../../domain/core/environment.ts';
import { type Actor, audited } from '../core/audit.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { announceRunning } from './announce-running.ts';
import { sealedSecrets } from './encrypted-secrets.ts';
import { failureOf, IS_SLOW, slownessOf } from './endpoint-failure.ts';

/** More rotations than a person makes before repeating a request whose response was lost. */
const REMEMBERED_ROTATIONS = 20;

/** Hours during which both secrets sign after a rotation with overlap. */
const OVERLAP_HOURS = 24;

const FAILURE = failureOf(sql.fragment`webhook_endpoints.id`);
const SLOWNESS = slownessOf(sql.fragment`webhook_endpoints.id`);

/** The public fields; deleted endpoints are hidden. */
const selected = sql.fragment`
  select id, merchant_id, environment, url, event_types, standard_headers, status, disabled_reason, failing_since,
    case when failing_since is not null then (select answered from (${FAILURE}) failure) end as failing_status,
    case when failing_since is not null or ${IS_SLOW} then (select waiting from (${FAILURE}) failure) end as failing_waiting,
    case when status = 'enabled' and failing_since is null then (select took_ms from (${SLOWNESS}) slow) end as slow_answer_ms,
    case when previous_secret_until > service_clock() then previous_secret_until end as previous_secret_until,
    created_at, updated_at
  from webhook_endpoints`;

const endpointWith = (id: string) => sql.type(webhookEndpoint)`${selected} where id = ${id}`;

/** @param environment null means both */
export function listWebhookEndpoints(
  db: Db,
  merchantId: string,
  environment: Environment | null,
): Promise<readonly WebhookEndpoint[]> {
  return db.any(sql.type(webhookEndpoint)`
    ${selected}
    where merchant_id = ${merchantId} and status <> 'deleted'
      and (${environment}::text is null or environment = ${environment})
    order by id desc`);
}

export function findWebhookEndpoint(
  db: Db,
  merchantId: string,
  endpointId: string,
): Promise<WebhookEndpoint | null> {
  return db.maybeOne(sql.type(webhookEndpoint)`
    ${selected}
    where merchant_id = ${merchantId} and id = ${endpointId} and status <> 'deleted'`);
}

/** The endpoint's encrypted secret. */
export function sealedSecretOf(db: Db, endpointId: string): Promise<Buffer> {
  return db.oneFirst(sql.type(z.object({ secret: sealedSecrets.secret }))`
    select secret from webhook_endpoints where id = ${endpointId}`);
}

/** The endpoints that have a delivery of the event, except deleted ones. */
export function listEndpointsOfEvent(
  db: Db,
  merchantId: string,
  eventId: string,
): Promise<readonly WebhookEndpoint[]> {
  return db.any(sql.type(webhookEndpoint)`
    ${selected}
    where merchant_id = ${merchantId} and status <> 'deleted'
      and id in (select endpoint_id from deliveries where event_id = ${eventId})
    order by id`);
}

/** Allocated before the row exists, because the encrypted secret is bound to the id. */
export function newWebhookEndpointId(db: Db): Promise<string> {
  return db.oneFirst(sql.type(z.object({ id: z.string() }))`select new_id('ap_whe_') as id`);
}

export interface NewEndpoint {
  readonly id: string;
  readonly url: string;
  /** Null means every type. */
  readonly eventTypes: readonly string[] | null;
  readonly standardHeaders: boolean;
  readonly sealedSecret: Buffer;
}

/** @returns `webhook_endpoint_not_found` if this endpoint was created before, and perhaps deleted */
export function createWebhookEndpoint(
  pool: Pool,
  { merchantId, environment }: Scope,
  endpoint: NewEndpoint,
  actor: Actor,
): Promise<WebhookEndpoint | 'webhook_endpoint_limit_reached' | 'webhook_endpoint_not_found'> {
  return pool.transaction(async (tx) => {
    // Serialised per merchant, so that concurrent creations cannot exceed the limit of ten.
    await tx.query(sql.typeAlias('void')`select from merchants where id = ${merchantId} for no key update`);
    const created = await tx.maybeOne(sql.type(z.object({ id: z.string() }))`
      insert into webhook_endpoints (id, merchant_id, environment, url, event_types, announces_running,
        standard_headers, secret)
      select ${endpoint.id}, ${merchantId}, ${environment}, ${endpoint.url}, ${textArray(endpoint.eventTypes)},
        ${beginsToAnnounce(null, endpoint.eventTypes)}, ${endpoint.standardHeaders}, ${sql.binary(endpoint.sealedSecret)}
      where ${MAX_ENDPOINTS} > (
        select count(*) from webhook_endpoints
        where merchant_id = ${merchantId} and environment = ${environment} and status <> 'deleted')
      on conflict (id) do nothing
      returning id`);
    if (!created) {
      const isKnown = await tx.exists(sql.typeAlias('void')`
        select from webhook_endpoints where id = ${endpoint.id}`);
      return isKnown ? 'webhook_endpoint_not_found' : 'webhook_endpoint_limit_reached';
    }
    await announceRunning(tx, created.id);
    return audited(tx, 'webhook_endpoint.create', null, endpointWith(created.id), actor);
  });
}

type Types = readonly string[] | null | undefined;

const ANNOUNCEMENTS: readonly EventType[] = ['subscription.trial_ending', 'subscription.renewal_upcoming'];

function beginsToAnnounce(before: Types, after: Types): boolean {
  return ANNOUNCEMENTS.some((type) => after?.includes(type) && !before?.includes(type));
}

export interface EndpointChanges {
  readonly url?: string | undefined;
  readonly eventTypes?: readonly string[] | null | undefined;
  readonly standardHeaders?: boolean | undefined;
}

/** Undefined fields keep their value. @returns null for an unknown endpoint */
export function updateWebhookEndpoint(
  pool: Pool,
  merchantId: string,
  endpointId: string,
  changes: EndpointChanges,
  actor: Actor,
): Promise<WebhookEndpoint | null> {
  const { url, eventTypes, standardHeaders } = changes;
  return pool.transaction(async (tx) => {
    const before = await lockWebhookEndpoint(tx, merchantId, endpointId);
    if (!before) return null;
    await tx.query(sql.typeAlias('void')`
      update webhook_endpoints
      set url = coalesce(${url ?? null}, url),
        event_types = ${eventTypes === undefined ? sql.fragment`event_types` : textArray(eventTypes)},
        announces_running = announces_running or ${beginsToAnnounce(before.event_types, eventTypes)},
        standard_headers = coalesce(${standardHeaders ?? null}::boolean, standard_headers),
        updated_at = service_clock()
      where id = ${endpointId}`);
    await announceRunning(tx, endpointId);
    return audited(tx, 'webhook_endpoint.update', before, endpointWith(endpointId), actor);
  });
}

/**
 * Replaces the secret immediately, or with a 24-hour overlap in which both sign. At most two are valid: another
 * rotation with overlap would end the older one, which may be the receiver's only secret if the response with the newer
 * one was lost.
 * @param rotation with the id of its operation, which rotates only once; null without an idempotency key
 * @returns null for an unknown endpoint
 */
export function rotateWebhookSecret(
  pool: Pool,
  merchantId: string,
  endpointId: string,
  rotation: { readonly sealedSecret: Buffer; readonly overlap: boolean; readonly operationId: string | null },
  actor: Actor,
): Promise<WebhookEndpoint | 'webhook_secret_overlap_running' | null> {
  const { sealedSecret, overlap, operationId } = rotation;
  return pool.transaction(async (tx) => {
    const before = await lockWebhookEndpoint(tx, merchantId, endpointId);
    if (!before) return null;
    const isRotated = await tx.exists(sql.typeAlias('void')`
      select from webhook_endpoints where id = ${endpointId} and ${operationId} = any (rotated_by)`);
    if (isRotated) return before;
    if (overlap && before.previous_secret_until !== null) return 'webhook_secret_overlap_running';
    await tx.query(sql.typeAlias('void')`
      update webhook_endpoints
      set secret = ${sql.binary(sealedSecret)},
        previous_secret = case when ${overlap} then secret end,
        rotated_by = (array_remove(array_prepend(${operationId}::text, rotated_by), null))[1:${REMEMBERED_ROTATIONS}],
        previous_secret_until = case when ${overlap} then service_clock() + make_interval(hours => ${OVERLAP_HOURS}) end,
        updated_at = service_clock()
      where id = ${endpointId}`);
    return audited(tx, 'webhook_endpoint.rotate_secret', before, endpointWith(endpointId), actor);
  });
}

async function lockWebhookEndpoint(
  tx: Transaction,
  merchantId: string,
  endpointId: string,
): Promise<WebhookEndpoint | null> {
  return tx.maybeOne(sql.type(webhookEndpoint)`
    ${selected}
    where merchant_id = ${merchantId} and id = ${endpointId} and status <> 'deleted'
    for no key update`);
}

function textArray(values: readonly string[] | null) {
  return values === null ? sql.fragment`null::text[]` : sql.array([...values], 'text');
}
