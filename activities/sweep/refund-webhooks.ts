/** Handles rail webhooks about refunds. */
import { readClock } from '../../db/core/pool.ts';
import { presentWebhooks } from '../../db/payment/rail-webhooks.ts';
import { refundAtRailOf } from '../../db/refund/refund-calls.ts';
import {
  applyRefundLookup,
  applyWebhooksOfSettledRefunds,
  markRefundWebhooksPresented,
  refundsContradictedByWebhooks,
  refundsWithWebhooks,
} from '../../db/refund/refund-sweep.ts';
import { wake } from '../../platform/temporal/messages.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';
import { isNotFoundFinal } from '../payment/attempt-at-rail.ts';

/** Look-ups per round, all concurrent, within the chore's one second. */
const LOOKUPS_EACH_ROUND = 10;

export async function applyRefundWebhooks(deps: ActivityDeps): Promise<void> {
  await applyWebhooksOfSettledRefunds(deps.pool);
  const before = await readClock(deps.pool);
  await eachAlone(deps.logger, await refundsWithWebhooks(deps.pool), async (refundId) => {
    await wake(deps, refundId);
    await markRefundWebhooksPresented(deps.pool, refundId, before);
  });
}

/** A webhook is only a hint: the rail is queried, repeatedly while the outcome is unknown. */
export async function lookUpContradictedRefunds(deps: ActivityDeps): Promise<void> {
  const { pool, logger, session } = deps;
  const contradicted = await refundsContradictedByWebhooks(pool, LOOKUPS_EACH_ROUND);
  await presentWebhooks(pool, contradicted);
  await eachAlone(logger, contradicted, async (refund) => {
    const row = await refundAtRailOf(pool, refund.id);
    const { rail, account } = openRailAccount(deps, row);
    const answer = await rail.lookupRefund({
      account,
      reference: refund.id,
      paymentReference: row.payment_id,
      railReference: row.rail_order_id,
      amountCents: row.amount,
      currency: row.currency,
      signal: AbortSignal.timeout(session.railCallTimeoutSeconds * 1_000),
    });
    const { kind } = answer;
    const differs = kind === 'unknown' && answer.reason === 'other_amount';
    if ((kind === 'unknown' && !differs) || kind === 'pending') return;
    if (kind === 'notFound' && !isNotFoundFinal(rail, row)) return;
    // A different amount contradicts either outcome: both amounts are listed, and an operator credits the difference.
    const atRail = differs ? 'otherAmount' : kind === 'succeeded' ? 'carriedOut' : 'notCarriedOut';
    if (!(await applyRefundLookup(pool, refund, atRail))) return;
    const succeeded = 'refund failed here, but succeeded at the rail';
    logger.error(
      { refundId: refund.id },
      refund.status === 'failed' ? succeeded : 'refund reversed by the rail',
    );
  });
}
