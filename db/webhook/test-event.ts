/** Test events, so that a merchant's developer can see one arrive. */
import { z } from 'zod';
import { TEST_EVENT_TYPE } from '../../contract/webhook/events.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql } from '../core/pool.ts';
import { bodyAround, type EndpointRef, eventIdOf } from './events.ts';

/**
 * Writes a `webhook.test` event for this endpoint alone, whatever its filter. The caller wakes the endpoint afterwards.
 * @returns the event's id; null unless the endpoint is enabled
 */
export function recordTestEvent(pool: Pool, endpoint: EndpointRef, actor: Actor): Promise<string | null> {
  const { endpointId, merchantId, environment } = endpoint;
  return pool.transaction(async (tx) => {
    const raised = await tx.maybeOne(sql.type(z.object({ version: z.int(), epoch: z.number() }))`
      update webhook_endpoints set version = version + 1
      where id = ${endpointId} and merchant_id = ${merchantId} and status = 'enabled'
      returning version, event_epoch() as epoch`);
    if (!raised) return null;
    const eventId = eventIdOf(TEST_EVENT_TYPE, endpointId, raised.version, raised.epoch);
    const [head, tail] = bodyAround(eventId, TEST_EVENT_TYPE, merchantId, {});
    await tx.query(sql.typeAlias('void')`
      with moment as materialized (
        select service_clock() as at
      ), written as (
        insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body)
        select ${eventId}, ${merchantId}, ${environment}, ${TEST_EVENT_TYPE}, ${endpointId}, ${raised.version}, at,
          ${head}::text || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ${tail}::text
        from moment
        returning id
      )
      insert into deliveries (endpoint_id, event_id) select ${endpointId}, id from written`);
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
