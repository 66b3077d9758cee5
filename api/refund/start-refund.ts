/** Starts a refund's workflow during the request; if that fails, the worker's relay starts it. */
import { startRefund as start } from '../../platform/temporal/start-workflows.ts';
import { withinRequest } from '../../platform/temporal/unless-started.ts';
import type { RefundToStart } from '../../workflows/refund/refund-messages.ts';
import type { ApiContext } from '../http/context.ts';

export async function startRefund(
  { pool, temporal, logger, config }: ApiContext,
  refund: RefundToStart,
): Promise<void> {
  try {
    await withinRequest(temporal, () => start({ pool, client: temporal, session: config.session }, refund));
  } catch (error) {
    logger.warn({ refundId: refund.id, err: error }, 'refund not started; the relay will start it');
  }
}
