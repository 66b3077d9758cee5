/** Redelivers a single delivery on request. */
import { z } from 'zod';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql } from '../core/pool.ts';
import type { EndpointRef } from './events.ts';

const redelivered = z.object({ before: z.string() });

/**
 * Makes the delivery due now, on a new round of the schedule. A delivered one gets a single attempt and stays delivered
 * whatever the outcome. The caller wakes the endpoint afterwards.
 * @returns false if this endpoint has no delivery of that event
 */
export function redeliver(
  pool: Pool,
  endpoint: EndpointRef,
  eventId: string,
  actor: Actor,
): Promise<boolean> {
  const { endpointId, merchantId, environment } = endpoint;
  return pool.transaction(async (tx) => {
    const delivery = await tx.maybeOne(sql.type(redelivered)`
      with found as (
        select delivery.status from deliveries delivery
        join webhook_endpoints endpoint on endpoint.id = delivery.endpoint_id
        where endpoint_id = ${endpointId} and event_id = ${eventId}
          and endpoint.merchant_id = ${merchantId} and endpoint.environment = ${environment}
        for update of delivery
      )
      update deliveries
      set status = 'pending', round_attempts = 0, next_attempt_at = service_clock()
      from found
      where endpoint_id = ${endpointId} and event_id = ${eventId}
      returning found.status as before`);
    if (!delivery) return false;
    await writeAudit(tx, {
      ...actor,
      merchantId,
      environment,
      action: 'webhook_delivery.resend',
      subjectId: endpointId,
      before: { event_id: eventId, status: delivery.before },
      after: { event_id: eventId, status: 'pending' },
    });
    return true;
  });
}
