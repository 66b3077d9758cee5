/** Credits the amount of a lost dispute like a refund, if the merchant's settings require it. */
import type { Scope } from '../../domain/core/environment.ts';
import { isRefundable } from '../../domain/refund/refund.ts';
import type { Transaction } from '../core/pool.ts';
import { creditOrStore } from '../invoice/credit-notes.ts';
import { eventContextOfPayment } from '../payment/event-payment.ts';
import { lockPayment } from '../payment/payment-row.ts';

interface LostDispute {
  readonly id: string;
  readonly paymentId: string;
  /** In cents of `currency`. */
  readonly amount: number;
  readonly currency: string;
}

/** If the invoice is yet to be issued, its credit notes are issued after it. */
export async function creditLostDispute(
  tx: Transaction,
  scope: Scope,
  { id, paymentId, amount, currency }: LostDispute,
): Promise<void> {
  // Refunds lock the payment too, so that no cent is credited twice.
  const payment = await lockPayment(tx, paymentId, null);
  // An orphaned charge has paid no invoice.
  if (!payment || !isRefundable(payment.status)) return;
  const { context, invoiceId } = await eventContextOfPayment(tx, paymentId);
  if (invoiceId === null) return;
  const of = { paymentId, refundId: null, disputeId: id };
  // An amount in another currency counts as the whole payment, as in `disputedPart`.
  const cents = currency === payment.currency ? amount : null;
  await creditOrStore(tx, { scope, invoiceId, ...of, reason: 'dispute', amount: cents }, context);
}
