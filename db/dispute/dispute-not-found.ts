/**
 * Reports a dispute webhook to an operator if the rail still cannot find its payment after a day of
 * look-ups.
 */
import { z } from 'zod';
import { type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { applyWebhooks } from '../payment/rail-webhooks.ts';
import { recordEvent } from '../webhook/events.ts';
import type { DisputedPayment } from './disputed-payments.ts';

/**
 * Ends the look-ups of this webhook with an alert that opens an incident; no second alert while the incident is open.
 * Later webhooks from the rail are looked up again.
 */
export function alertOfDisputeNotFound(
  pool: Pool,
  { paymentId, railAccountId, railEventIds, merchantId, environment }: DisputedPayment,
): Promise<void> {
  return inTransaction(pool, async (tx) => {
    await applyWebhooks(tx, railAccountId, railEventIds);
    const closedBefore = await tx.oneFirst(sql.type(z.object({ times: z.number() }))`
      select count(*)::integer as times from operator_alerts
      where code = 'dispute_not_found' and reference = ${paymentId} and closed_at is not null
    `);
    await recordEvent(tx, {
      scope: { merchantId, environment },
      type: 'billing.operational_alert',
      aggregateId: `${paymentId}-dispute-not-found`,
      aggregateVersion: closedBefore + 1,
      alert: { code: 'dispute_not_found', reference: paymentId },
    });
  });
}
