/**
 * Attempts of a payment link. Each belongs to the link's session and is also the only open attempt of the invoice, so
 * that retries, requests to pay and other links wait for it (rule 1). Lock order: the session, then the subscription.
 */
import { refusalOf, waitsForCharge } from '../../domain/subscription/operations.ts';
import { sql, type Transaction } from '../core/pool.ts';
import type { LockedPayment } from '../payment/payment-row.ts';
import { isInQuestion } from '../subscription/calculate-change.ts';
import {
  recordSubscriptionEvent,
  recordSubscriptionEvents,
} from '../subscription/core/subscription-events.ts';
import {
  closeUnpaidChange,
  failWaitingChange,
  invoiceOfPayment,
  oldestUnpaidInvoice,
} from '../subscription/core/subscription-invoices.ts';
import { operable } from '../subscription/core/subscription-operations.ts';
import { lockSubscription, saveSubscription } from '../subscription/core/subscription-row.ts';
import { isInvoiceOfWaiting, payableWaiting } from '../subscription/core/waiting-change.ts';
import { replaceMethod } from '../subscription/replace-method.ts';
import { applyChange } from '../subscription/settle-change.ts';
import { settlePaid } from '../subscription/settle-charge.ts';
import type { LockedSession } from './core/session-row.ts';

/**
 * Returns whether the link's invoice can be paid now: it is the oldest unpaid one, or that of a change that waits for its
 * buyer; no attempt is open, and no charge of the subscription is in question.
 */
export async function isPayableByLink(tx: Transaction, session: LockedSession): Promise<boolean> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  const facts = operable(subscription);
  if (waitsForCharge('linkInvoice', facts) || refusalOf('linkInvoice', facts)) return false;
  if (await isInQuestion(tx, subscription)) return false;
  const waits = subscription.open_change === 'requires_action';
  const invoice = await (waits ? payableWaiting(tx, subscription) : oldestUnpaidInvoice(tx, subscription.id));
  return invoice?.id === session.invoice_id && invoice.amount_due === session.amount;
}

/** Assigns the session's claimed attempt to the invoice, dated by the subscription's clock. */
export async function claimForInvoice(
  tx: Transaction,
  session: LockedSession,
  paymentId: string,
): Promise<void> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  await tx.query(sql.typeAlias('void')`
    with claimed as (
      update payments p set order_id = i.order_id, created_at = ${subscription.now}, updated_at = ${subscription.now}
      from invoices i where p.id = ${paymentId} and i.id = ${session.invoice_id}
      returning p.id, p.order_id
    )
    update orders set payment_id = claimed.id, updated_at = ${subscription.now} from claimed
    where orders.id = claimed.order_id
  `);
  await saveSubscription(tx, subscription, {});
}

/**
 * Settles the invoice with a paid attempt, and applies the change if the invoice belongs to one. The method becomes the
 * subscription's if the buyer agreed to store it and the subscription's method has not changed since.
 */
export async function settleByLink(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
): Promise<void> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  const invoice = await invoiceOfPayment(tx, payment.id);
  const charge = { tx, subscription, payment, invoice, byLink: true };
  await (invoice.change_id === null ? settlePaid(charge) : applyChange(charge, invoice.change_id));
  if (await isOutdated(tx, payment.id)) return;
  await replaceMethod(tx, subscription.id, { checkoutId: session.id, paymentId: payment.id });
}

/** Returns whether the subscription's method was changed during the attempt. */
function isOutdated(tx: Transaction, paymentId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from payments p join clicks r on r.claim_id = p.claim_id
    where p.id = ${paymentId} and not r.keeps_method
  `);
}

/** Frees the invoice after a failed attempt, which counts neither as a retry nor against the stored method. */
export async function failByLink(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
): Promise<void> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  const waits = subscription.open_change === 'requires_action';
  // True if a dispute was lost during the attempt.
  const fails = waits && subscription.charging_stopped;
  const left = fails ? await failWaitingChange(tx, subscription) : subscription;
  const now = await saveSubscription(tx, left, {});
  await recordSubscriptionEvents(tx, now, [
    {
      type: 'payment.failed',
      aggregate: payment,
      paymentId: payment.id,
      checkoutId: session.id,
      // Merchants do not see drafts.
      ...(!waits && { invoiceId: String(session.invoice_id) }),
    },
    ...(fails ? [{ type: 'subscription.updated', change: 'change_failed' } as const] : []),
  ]);
}

/** Fails the change that waited for this link, which has expired, was cancelled, or allows no further attempt. */
export async function endByLink(tx: Transaction, session: LockedSession): Promise<void> {
  const subscription = await lockSubscription(tx, String(session.subscription_id));
  if (!(await isInvoiceOfWaiting(tx, subscription, session.invoice_id))) return;
  const now = await saveSubscription(tx, await closeUnpaidChange(tx, subscription, 'failed'), {});
  await recordSubscriptionEvent(tx, now, { type: 'subscription.updated', change: 'change_failed' });
}
