/** An immediate change whose charge waits until its buyer confirms and pays on the hosted page. */
import { z } from 'zod';
import { sql, type Transaction } from '../../core/pool.ts';
import { invoicedParts } from './invoiced-parts.ts';
import { type UnpaidInvoice, unpaidInvoice } from './subscription-invoices.ts';
import type { LockedSubscription } from './subscription-row.ts';

const waiting = unpaidInvoice.extend({ period_end: z.string(), asked_at: z.string() });

/**
 * Returns the draft of the waiting change; null once the change can no longer be paid as calculated: the period that it
 * ends or the one that it buys is over, or what was paid for that period has been refunded or disputed since.
 */
export async function payableWaiting(
  tx: Transaction,
  { id, now, current_period_end: end }: LockedSubscription,
): Promise<UnpaidInvoice | null> {
  const paid = (await invoicedParts(tx, id)).filter(({ is_settled }) => is_settled);
  const invoice = await draftOfWaiting(tx, id);
  if (!invoice || end === null || end <= now || invoice.period_end <= now) return null;
  return paid.every(({ changed_at }) => changed_at <= invoice.asked_at) ? invoice : null;
}

/** Returns the draft of the waiting change, even if it can no longer be paid; null without such a change. */
export function draftOfWaiting(
  tx: Transaction,
  subscriptionId: string,
): Promise<z.infer<typeof waiting> | null> {
  return tx.maybeOne(sql.type(waiting)`
    select i.id, i.order_id, i.amount_due, i.version, i.period_start, i.period_end,
      c.id as change_id, c.created_at as asked_at
    from subscription_changes c join invoices i on i.id = c.invoice_id
    where c.subscription_id = ${subscriptionId} and c.status = 'requires_action' for update of i
  `);
}

export function isInvoiceOfWaiting(
  tx: Transaction,
  { id }: LockedSubscription,
  invoiceId: string | null,
): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from subscription_changes
    where subscription_id = ${id} and status = 'requires_action' and invoice_id = ${invoiceId}
  `);
}
