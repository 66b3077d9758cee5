/** Closes an incident that only an operator can end. */

import { z } from 'zod';
import type { IncidentKind } from '../../contract/operations/incident-kinds.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql } from '../core/pool.ts';

const closed = z.object({
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  closed_at: z.string(),
});

/** Kinds whose alert, which merchants also receive, has another name. */
export const ALERT_OF = { endpoint_disabled: 'webhook_endpoint_disabled' } as const;

/**
 * Closes the incident, with an audit row. Idempotent.
 *
 * @returns whether the incident was open
 */
export function closeIncident(
  pool: Pool,
  kind: IncidentKind,
  id: string,
  actor: Actor & { readonly reason: string },
): Promise<boolean> {
  return pool.transaction(async (tx) => {
    const [alert] = await tx.any(sql.type(closed)`
      update operator_alerts set closed_at = service_clock()
      where code = ${kind in ALERT_OF ? ALERT_OF[kind as keyof typeof ALERT_OF] : kind} and reference = ${id} and closed_at is null
      returning merchant_id, environment, closed_at
    `);
    if (!alert) return false;
    await writeAudit(tx, {
      ...actor,
      merchantId: alert.merchant_id,
      environment: alert.environment,
      action: 'incident.close',
      subjectId: id,
      before: { incident: kind },
      after: { closed_at: alert.closed_at },
    });
    return true;
  });
}
