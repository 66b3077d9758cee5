/** Test events, with which a merchant's developer or an operator can check an endpoint. */
import { z } from 'zod';
import { TEST_EVENT_TYPE } from '../../contract/webhook/events.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { contentOf, type EndpointRef } from './events.ts';

/**
 * Writes a `webhook.test` event for this endpoint alone, whatever its filter. The caller wakes the endpoint afterwards.
 * @returns the event's id; null unless the endpoint is enabled
 */
export function recordTestEvent(pool: Pool, endpoint: EndpointRef, actor: Actor): Promise<string | null> {
  const { endpointId, merchantId, environment } = endpoint;
  return pool.transaction(async (tx) => {
    const eventId = await tx.maybeOneFirst(sql.type(z.object({ event_id: z.string() }))`
      with raised as (
        update webhook_endpoints set version = version + 1
        where id = ${endpointId} and merchant_id = ${merchantId} and status = 'enabled'
        returning event_id(${TEST_EVENT_TYPE}, id, version) as event_id, version, service_clock() as at
      ), written as (
        insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body)
        select event_id, ${merchantId}, ${environment}, ${TEST_EVENT_TYPE}, ${endpointId}, version, at,
          event_body(event_id, ${TEST_EVENT_TYPE}, at, ${contentOf(merchantId, {})})
        from raised
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
  secret: z.instanceof(Buffer),
  previous_secret: z.instanceof(Buffer).nullable(),
  standard_headers: z.boolean(),
  status: z.enum(['enabled', 'paused', 'disabled']),
  environment: z.enum(ENVIRONMENTS),
  unix_seconds: z.number(),
});
export type TestToSend = z.infer<typeof testToSend>;

/**
 * A `webhook.test` event to send at once: it is not stored, so that an endpoint can be tested before it is resumed.
 * @returns null if the endpoint has been deleted
 */
export function takeTestEvent(
  pool: Pool,
  { endpointId, merchantId }: Pick<EndpointRef, 'endpointId' | 'merchantId'>,
  actor: Actor,
): Promise<TestToSend | null> {
  return pool.transaction(async (tx) => {
    const test = await tx.maybeOne(sql.type(testToSend)`
      with raised as (
        update webhook_endpoints set version = version + 1
        where id = ${endpointId} and merchant_id = ${merchantId} and status <> 'deleted'
        returning *, event_id(${TEST_EVENT_TYPE}, id, version) as event_id, service_clock() as at
      )
      select event_id, event_body(event_id, ${TEST_EVENT_TYPE}, at, ${contentOf(merchantId, {})}) as body,
        url, secret, case when previous_secret_until > at then previous_secret end as previous_secret, standard_headers,
        status, environment, unix_ms(at) / 1000 as unix_seconds
      from raised`);
    if (test)
      await writeTested(tx, { endpointId, merchantId, environment: test.environment }, actor, test.eventId);
    return test;
  });
}

function writeTested(tx: Transaction, endpoint: EndpointRef, actor: Actor, eventId: string): Promise<void> {
  return writeAudit(tx, {
    merchantId: endpoint.merchantId,
    environment: endpoint.environment,
    actor: actor.actor,
    action: 'webhook_endpoint.test',
    subjectId: endpoint.endpointId,
    requestId: actor.requestId ?? null,
    before: null,
    after: { event_id: eventId },
  });
}
