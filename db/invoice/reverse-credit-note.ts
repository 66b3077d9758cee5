/**
 * Reverses a credit note by a new invoice that names it: the processor reversed the refund, or the lost dispute was
 * finally won.
 */
import { z } from 'zod';
import { eventCustomer, eventProduct } from '../../contract/webhook/events.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { recordEvent } from '../webhook/events.ts';
import { invoiceCreated, issueInvoice } from './invoices.ts';

const reversible = z.object({
  id: z.string(),
  customer_id: z.string(),
  customer: z.string(),
  event_customer: eventCustomer,
  product: eventProduct,
  supplier: z.unknown(),
  line_items: z.array(z.unknown()),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
});

/**
 * Issues an invoice, already settled, that reverses the credit note, because the merchant has the money again. Does
 * nothing if there is no credit note, or if it is reversed already. Call after the reversal is written: a credit note
 * that is still due is then not issued.
 */
export async function reverseCreditNote(
  tx: Transaction,
  scope: Scope,
  of: { readonly refundId: string } | { readonly disputeId: string },
): Promise<void> {
  const [isCause, cause] =
    'refundId' in of
      ? [sql.fragment`n.refund_id = ${of.refundId}`, sql.fragment`refunds where id = ${of.refundId}`]
      : [sql.fragment`n.dispute_id = ${of.disputeId}`, sql.fragment`disputes where id = ${of.disputeId}`];
  // The sweep holds this lock while it issues the credit note.
  await tx.query(sql.typeAlias('void')`
    select from payments where id = (select payment_id from ${cause}) for update`);
  const note = await tx.maybeOne(sql.type(reversible)`
    select n.id, n.customer_id, n.customer::text as customer, n.supplier, n.amount, n.currency,
      jsonb_build_object('id', u.id, 'external_customer_id', u.external_customer_id, 'email', u.email) as event_customer,
      jsonb_build_object('id', d.id, 'external_reference', d.external_reference) as product,
      (select jsonb_agg(line - 'line') from jsonb_array_elements(n.line_items) line) as line_items
    from credit_notes n join customers u on u.id = n.customer_id
    join products d on d.id = n.line_items #>> '{0,product_id}'
    where ${isCause} and n.reversed_by is null
    for update of n`);
  if (!note) return;
  const { id, customer_id: customerId, customer, supplier, line_items: lineItems, amount, currency } = note;
  const invoice = await issueInvoice(tx, {
    scope,
    customerId,
    orderId: null,
    subscriptionId: null,
    period: null,
    status: 'created',
    amount,
    amountDue: 0,
    currency,
    lineItems,
    supplier,
    customer,
  });
  await tx.query(sql.typeAlias('void')`
    with named as (update invoices set reverses_credit_note_id = ${id} where id = ${invoice.id})
    update credit_notes set reversed_by = ${invoice.id} where id = ${id}`);
  const context = {
    scope,
    customer: note.event_customer,
    product: note.product,
    subscription: null,
    payment: null,
  };
  await recordEvent(tx, invoiceCreated(context, invoice));
}
