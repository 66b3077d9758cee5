/** Starting refunds that should be running, and telling those that run. */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { refundAtRailOf } from '../../db/refund/refund-calls.ts';
import {
  failedRefundsWithNews,
  hearOfSettledRefunds,
  judgeFailedRefund,
  markRefundStarted,
  overdueRefunds,
  refundsWithNews,
  type StartableRefund,
  unstartedRefunds,
} from '../../db/refund/refund-sweep.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { ALSO_AFTER_COMPLETION, type StarterDeps } from '../../temporal/start-workflows.ts';
import { wakeEndpointsOf } from '../../temporal/wake-endpoints.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import { REFUND_WORKFLOW, refundStart } from '../../workflows/refund/refund-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const BATCH = 500;
/** A round of the sweep has less than a minute for everything. */
const LOOKUPS_EACH_ROUND = 2;

export async function startUnstartedRefunds(deps: StarterDeps): Promise<void> {
  for (const refund of await unstartedRefunds(deps.pool, BATCH)) await startRefund(deps, refund);
}

/** A refund whose run is gone, or over while its row is open, is started again; one that runs is to look again. */
export async function findLostRefunds(deps: ActivityDeps): Promise<void> {
  await eachAlone(deps.logger, await overdueRefunds(deps.pool, BATCH), async (refund) => {
    const started = await startRefund(deps, refund, ALSO_AFTER_COMPLETION);
    if (!started) await wake(deps, refund.id);
    deps.logger.error({ refundId: refund.id, started }, 'refund is overdue');
  });
}

export async function hearOfRefunds(deps: ActivityDeps): Promise<void> {
  const eventIds = await hearOfSettledRefunds(deps.pool);
  if (eventIds.length > 0) {
    deps.logger.error({ eventIds }, 'the rail took a refund back');
    void wakeEndpointsOf(deps, eventIds);
  }
  await eachAlone(deps.logger, await refundsWithNews(deps.pool), (refundId) => wake(deps, refundId));
}

/** The hint alone does not suffice: the rail is asked, and what it does not know yet is asked again. */
export async function doubtFailedRefunds(deps: ActivityDeps): Promise<void> {
  const { pool, logger, checkout } = deps;
  await eachAlone(logger, await failedRefundsWithNews(pool, LOOKUPS_EACH_ROUND), async (refund) => {
    const row = await refundAtRailOf(pool, refund.id);
    const { rail, account } = openRailAccount(deps, row);
    const { kind } = await rail.lookupRefund({
      account,
      reference: refund.id,
      paymentReference: row.payment_id,
      railReference: row.rail_order_id,
      signal: AbortSignal.timeout(checkout.railCallTimeoutSeconds * 1_000),
    });
    if (kind === 'unknown' || kind === 'pending') return;
    const eventIds = await judgeFailedRefund(pool, refund, kind === 'succeeded');
    if (eventIds.length === 0) return;
    logger.error({ refundId: refund.id }, 'failed here, but refunded at the rail');
    void wakeEndpointsOf(deps, eventIds);
  });
}

function wake({ client }: ActivityDeps, refundId: string): Promise<void> {
  return client.workflow.getHandle(refundId).signal(wakeSignal);
}

/** @returns false when it runs, or has run, already */
async function startRefund(
  deps: StarterDeps,
  refund: StartableRefund,
  how: Partial<typeof ALSO_AFTER_COMPLETION> = {},
): Promise<boolean> {
  const started = await deps.client.workflow
    .start(REFUND_WORKFLOW, { ...refundStart(refund, deps.checkout.timings), ...how })
    .then(() => true)
    .catch((error: unknown) => {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      return false;
    });
  await markRefundStarted(deps.pool, refund.id);
  return started;
}
