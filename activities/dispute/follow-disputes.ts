/**
 * The sweep's look-ups of disputes: immediately for payments with dispute webhooks, daily for those with an open
 * dispute.
 */
import { alertOfDisputeNotFound } from '../../db/dispute/dispute-not-found.ts';
import {
  type AskedPayment,
  disputedPayments,
  markDisputesAsked,
} from '../../db/dispute/disputed-payments.ts';
import { recordDisputes } from '../../db/dispute/record-disputes.ts';
import { paymentAtRailOf } from '../../db/payment/payment-at-rail.ts';
import { wake } from '../../platform/temporal/messages.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

/**
 * Look-ups per round: at most this many for payments with webhooks, and as many daily ones. All run concurrently,
 * within the chore's two seconds.
 */
const LOOKUPS_OF_EACH = 5;

export async function followDisputes(deps: ActivityDeps): Promise<void> {
  const asked = await disputedPayments(deps.pool, LOOKUPS_OF_EACH);
  await markDisputesAsked(deps.pool, asked);
  await eachAlone(deps.logger, asked, (payment) => follow(deps, payment));
}

async function follow(deps: ActivityDeps, payment: AskedPayment): Promise<void> {
  const { pool, logger, session } = deps;
  const { paymentId } = payment;
  const row = await paymentAtRailOf(pool, paymentId);
  if (!row) return;
  const { rail, account } = openRailAccount(deps, row);
  const outcome = await rail.listDisputes({
    account,
    reference: paymentId,
    railReference: row.rail_order_id ?? '',
    signal: AbortSignal.timeout(session.railCallTimeoutSeconds * 1_000),
  });
  if (outcome.kind === 'unknown') return;
  // `notFound` does not refute the webhook (rule 4): the rail is queried again for a day, then an operator is
  // alerted.
  if (outcome.kind === 'notFound' && payment.railEventIds.length > 0) {
    if (!payment.webhookIsOld) return;
    logger.error({ paymentId }, 'disputed payment not found at the rail');
    return alertOfDisputeNotFound(pool, payment);
  }
  const disputes = outcome.kind === 'disputes' ? outcome.disputes : [];
  const { alerts, stopped } = await recordDisputes(pool, payment, disputes);
  if (alerts.length > 0) logger.error({ paymentId, alerts }, 'payment disputed');
  if (stopped === null) return;
  logger.error({ paymentId, subscriptionId: stopped }, 'dispute lost: subscription stops renewing');
  // If this wake-up is lost, the workflow reads the row at its next boundary.
  await wake(deps, stopped);
}
