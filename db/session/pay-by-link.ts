/**
 * Attempts of a payment link. Each belongs to its session and to the invoice, whose one open attempt it is: retries,
 * requests to pay and other links wait for it (rule 1). Locks: the session, then the subscription.
 */
import { refusalOf } from '../../domain/subscription/operations.ts';
import { sql, type Transaction } from '../core/pool.ts';
import type { LockedPayment } from '../payment/payment-row.ts';
import { isInQuestion } from '../subscription/calculate-change.ts';
import { replaceMethod } from '../subscription/replace-method.ts';
import { settlePaid } from '../subscription/settle-charge.ts';
import { recordSubscriptionEvent } from '../subscription/subscription-events.ts';
import { invoiceOfPayment, oldestUnpaidInvoice } from '../subscription/subscription-invoices.ts';
import { operable } from '../subscription/subscription-operations.ts';
import { lockSubscription, saveSubscription } from '../subscription/subscription-row.ts';
import type { LockedSession } from './session-row.ts';

/**
 * Returns whether the link's invoice can be paid now: it is the oldest unpaid one, no attempt is open, and no restore has
 * found a charge that may be its own.
 */
export async function isPayableByLink(tx: Transaction, session: LockedSession): Promise<boolean> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  if (subscription.open_payment_id || refusalOf('linkInvoice', await operable(tx, subscription)))
    return false;
  if (await isInQuestion(tx, subscription)) return false;
  const invoice = await oldestUnpaidInvoice(tx, subscription.id);
  return invoice?.id === session.invoice_id && invoice.amount_due === session.amount;
}

/** Makes the session's claimed attempt the invoice's. */
export async function claimForInvoice(
  tx: Transaction,
  session: LockedSession,
  paymentId: string,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with claimed as (
      update payments p set order_id = i.order_id from invoices i
      where p.id = ${paymentId} and i.id = ${session.invoice_id}
      returning p.id, p.order_id
    )
    update orders set payment_id = claimed.id, updated_at = service_clock() from claimed
    where orders.id = claimed.order_id
  `);
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  await saveSubscription(tx, subscription, {});
}

/** Settles the invoice with a paid attempt. The method becomes the subscription's if the buyer agreed to store it. */
export async function settleByLink(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
): Promise<void> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  await settlePaid({
    tx,
    subscription,
    payment,
    invoice: await invoiceOfPayment(tx, payment.id),
    byLink: true,
  });
  await replaceMethod(tx, subscription.id, { checkoutId: session.id, paymentId: payment.id });
}

/** Frees the invoice after a failed attempt, which counts neither as a retry nor against the stored method. */
export async function failByLink(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
): Promise<void> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  const now = await saveSubscription(tx, subscription, {});
  await recordSubscriptionEvent(tx, now, {
    type: 'payment.failed',
    aggregate: payment,
    paymentId: payment.id,
    invoiceId: String(session.invoice_id),
    checkoutId: session.id,
  });
}
