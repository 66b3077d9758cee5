/** Starts a refund's workflow during the request; if that fails, the worker's relay starts it. */
import { markRefundStarted } from '../../db/refund/refund-sweep.ts';
import { startedInTime } from '../../platform/temporal/unless-started.ts';
import { REFUND_WORKFLOW, type RefundToStart, refundStart } from '../../workflows/refund/refund-messages.ts';
import type { ApiContext } from '../http/context.ts';

export async function startRefund(
  { pool, temporal, logger, config }: ApiContext,
  refund: RefundToStart,
): Promise<void> {
  try {
    await startedInTime(temporal, () =>
      temporal.workflow.start(REFUND_WORKFLOW, refundStart(refund, config.session.timings)),
    );
    await markRefundStarted(pool, refund.id);
  } catch (error) {
    logger.warn({ refundId: refund.id, err: error }, 'refund not started; the relay will start it');
  }
}
