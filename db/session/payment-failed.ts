/** Events about one payment of a session, written in the transaction that changes it. */

import type { Transaction } from '../core/pool.ts';
import type { LockedPayment } from '../payment/payment-row.ts';
import { recordEvent } from '../webhook/events.ts';
import { sessionEventContext } from './core/session-events.ts';
import type { LockedSession } from './core/session-row.ts';
import { failByLink } from './pay-by-link.ts';

/**
 * Records `payment.failed` for an attempt that was declined, or ended by expiry, cancellation or an operator. An
 * attempt to set up another payment method causes no such event: the end of its session is reported instead.
 */
export async function recordPaymentFailed(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
): Promise<void> {
  if (session.invoice_id) return failByLink(tx, session, payment);
  if (session.subscription_id) return;
  const {
    scope,
    customer,
    product,
    payment: part,
    charge,
    ...about
  } = await sessionEventContext(tx, session.id, payment.id);
  await recordEvent(tx, {
    scope,
    type: 'payment.failed',
    aggregateId: payment.id,
    aggregateVersion: payment.version,
    customer,
    product,
    payment: part,
    ...(charge && { charge }),
    checkout: about.checkout,
  });
}
