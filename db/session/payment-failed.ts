/** Events about one payment of a session, in the transaction that changes it. */
import { checkoutEventParts, type EventIds } from './session-events.ts';
import type { LockedCheckout } from './session-row.ts';
import { recordEvent } from '../webhook/events.ts';
import type { LockedPayment } from '../payment/payment-row.ts';
import type { Transaction } from '../core/pool.ts';

/**
 * A declined attempt, and one ended by expiry, cancel or an operator, sends `payment.failed`. An attempt to set up
 * another payment method is nobody's payment: its session tells how it ended.
 */
export async function recordPaymentFailed(
  tx: Transaction,
  checkout: LockedCheckout,
  payment: LockedPayment,
): Promise<EventIds> {
  if (checkout.subscription_id) return [];
  const { scope, customer, product, payment: part } = await checkoutEventParts(tx, checkout.id, payment.id);
  const eventId = await recordEvent(tx, {
    scope,
    type: 'payment.failed',
    aggregateId: payment.id,
    aggregateVersion: payment.version,
    customer,
    product,
    payment: part,
  });
  return [eventId];
}
