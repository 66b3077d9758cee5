/**
 * Starts `reconcile` for a payment that an operator settled while the rail did not answer, without waiting for the next
 * sweep.
 */
import { paymentAtRailOf } from '../../db/payment/payment-at-rail.ts';
import { startReconcile } from '../../platform/temporal/start-workflows.ts';
import type { ActivityDeps } from '../core/deps.ts';

/** Need not be awaited: the question is stored as a row, for which the sweep starts a missing workflow (rule 35). */
export async function startReconcileNow(
  { pool, client, logger }: ActivityDeps,
  paymentId: string,
): Promise<void> {
  try {
    const row = await paymentAtRailOf(pool, paymentId);
    if (!row) return;
    const { merchant_id: merchantId, environment } = row;
    await startReconcile(client, { paymentId, merchantId, environment });
  } catch (err) {
    logger.warn({ paymentId, err }, 'reconciliation not started; the sweep will start it');
  }
}
