/** Test events, with which a merchant's developer or an operator can check an endpoint. */
import { z } from 'zod';
import { TEST_EVENT_TYPE } from '../../contract/webhook/events.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { sealedSecrets, secretsAt } from './encrypted-secrets.ts';
import { contentOf, type EndpointRef } from './events.ts';

/**
 * Writes a `webhook.test` event for this endpoint only, whatever its filter. The caller must wake the endpoint
 * afterwards.
 * @returns the event's id; null unless the endpoint is enabled
 */
export function recordTestEvent(pool: Pool, endpoint: EndpointRef, actor: Actor): Promise<string | null> {
  const { endpointId, merchantId, environment } = endpoint;
  return pool.transaction(async (tx) => {
    const eventId = await tx.maybeOneFirst(sql.type(z.object({ event_id: z.string() }))`
      with ${testOf(endpoint, sql.fragment`status = 'enabled'`)}, written as (
        insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body)
        select event_id, ${merchantId}, ${environment}, ${TEST_EVENT_TYPE}, ${endpointId}, version, at, body from test
        returning id
      )
      insert into deliveries (endpoint_id, event_id) select ${endpointId}, id from written returning event_id`);
    if (eventId !== null) await writeTested(tx, endpoint, actor, eventId);
    return eventId;
  });
}

const testToSend = camelCased({
  event_id: z.string(),
  body: z.string(),
  url: z.string(),
  ...sealedSecrets,
  standard_headers: z.boolean(),
  status: z.enum(['enabled', 'paused', 'disabled']),
  environment: z.enum(ENVIRONMENTS),
  unix_seconds: z.number(),
});
export type TestToSend = z.infer<typeof testToSend>;

/**
 * A `webhook.test` event to send immediately: it is not stored, so that an endpoint can be tested before it
 * is resumed.
 * @returns null if the endpoint has been deleted
 */
export function takeTestEvent(
  pool: Pool,
  { endpointId, merchantId }: Pick<EndpointRef, 'endpointId' | 'merchantId'>,
  actor: Actor,
): Promise<TestToSend | null> {
  return pool.transaction(async (tx) => {
    const test = await tx.maybeOne(sql.type(testToSend)`
      with ${testOf({ endpointId, merchantId }, sql.fragment`status <> 'deleted'`)}
      select event_id, body, url, ${secretsAt(sql.fragment`at`)}, standard_headers, status, environment,
        unix_ms(at) / 1000 as unix_seconds
      from test`);
    if (test)
      await writeTested(tx, { endpointId, merchantId, environment: test.environment }, actor, test.eventId);
    return test;
  });
}

/** Builds the CTE `test`: the endpoint with its version raised, and the event derived from that version. */
function testOf(
  { endpointId, merchantId }: Pick<EndpointRef, 'endpointId' | 'merchantId'>,
  isTestable: ReturnType<typeof sql.fragment>,
) {
  return sql.fragment`raised as (
    update webhook_endpoints set version = version + 1
    where id = ${endpointId} and merchant_id = ${merchantId} and ${isTestable}
    returning *, event_id(${TEST_EVENT_TYPE}, id, version) as event_id, service_clock() as at
  ), test as (
    select *, event_body(event_id, ${TEST_EVENT_TYPE}, at, ${contentOf(merchantId, {})}) as body from raised
  )`;
}

function writeTested(tx: Transaction, endpoint: EndpointRef, actor: Actor, eventId: string): Promise<void> {
  return writeAudit(tx, {
    ...endpoint,
    ...actor,
    action: 'webhook_endpoint.test',
    subjectId: endpoint.endpointId,
    before: null,
    after: { event_id: eventId },
  });
}
