/** Test events, with which a merchant's developer can check an endpoint. */
import { z } from 'zod';
import { TEST_EVENT_TYPE } from '../../contract/webhook/events.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql } from '../core/pool.ts';
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
    if (eventId === null) return null;
    await writeAudit(tx, {
      merchantId,
      environment,
      actor: actor.actor,
      action: 'webhook_endpoint.test',
      subjectId: endpointId,
      requestId: actor.requestId ?? null,
      before: null,
      after: { event_id: eventId },
    });
    return eventId;
  });
}
