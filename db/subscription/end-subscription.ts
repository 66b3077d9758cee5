/** Ends a subscription for any reason, in the caller's transaction. */

import { z } from 'zod';
import { sql, type Transaction } from '../core/pool.ts';
import { issueCreditNote } from '../invoice/credit-notes.ts';
import { readParts, recordSubscriptionEvent } from './subscription-events.ts';
import { failWaitingChange, writeOffUnpaid } from './subscription-invoices.ts';
import { type LockedSubscription, saveSubscription, scopeOfSubscription } from './subscription-row.ts';

/** Ends the subscription. Call only while no payment is open. */
export async function endSubscription(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const { id, now, open_payment_id: openPayment } = subscription;
  if (openPayment)
    throw new Error(`${id}: payment ${openPayment} is still open and must be settled before the end`);
  const lastPaid = await writeOffUnpaid(tx, subscription);
  await tx.query(sql.typeAlias('void')`
    update subscription_changes set status = 'cancelled', updated_at = ${now}
    where subscription_id = ${id} and status = 'scheduled'
  `);
  const left = await failWaitingChange(tx, subscription);
  const ended = await saveSubscription(tx, left, {
    status: 'cancelled',
    cancelled_at: now,
    pause_at_period_end: false,
    resumes_at: null,
    charge_at: null,
    dunning: null,
    unpaid_invoices: 0,
    // Show the last paid period: the merchant removes access at its end.
    ...(lastPaid && { current_period_start: lastPaid.start, current_period_end: lastPaid.end }),
  });
  await recordSubscriptionEvent(tx, ended, { type: 'subscription.cancelled' });
  await creditUncollectible(tx, ended);
}

/** Credits invoices that were written off in full, if the merchant's settings say so. */
async function creditUncollectible(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const { id, status, current_period_end } = subscription;
  const writtenOff = await tx.anyFirst(sql.type(z.object({ id: z.string() }))`
    select i.id from invoices i join merchants m on m.id = i.merchant_id
    where i.subscription_id = ${id} and i.status = 'uncollectible' and m.credit_note_on_uncollectible
    order by i.period_start
  `);
  if (writtenOff.length === 0) return;
  const { customer, product } = await readParts(tx, subscription);
  const parts = { customer, product, subscription: { id, status, current_period_end }, payment: null };
  const credit = {
    paymentId: null,
    refundId: null,
    disputeId: null,
    reason: 'uncollectible',
    amount: null,
  } as const;
  for (const invoiceId of writtenOff)
    await issueCreditNote(tx, { scope: scopeOfSubscription(subscription), invoiceId, ...credit }, parts);
}
