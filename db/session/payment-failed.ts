/** Events about one payment of a session, written in the transaction that changes it. */

import type { Transaction } from '../core/pool.ts';
import type { LockedPayment } from '../payment/payment-row.ts';
import { recordEvent } from '../webhook/events.ts';
import { sessionEventParts } from './session-events.ts';
import type { LockedSession } from './session-row.ts';

/**
 * A declined attempt, and one ended by expiry, cancel or an operator, sends `payment.failed`. An attempt to
 * set up another payment method sends nothing: the end of its session is reported instead.
 */
export async function recordPaymentFailed(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
): Promise<void> {
  if (session.subscription_id) return;
  const {
    scope,
    customer,
    product,
    payment: part,
    charge,
    ...about
  } = await sessionEventParts(tx, session.id, payment.id);
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
