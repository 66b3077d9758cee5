/** Invoices of plan changes, which stay drafts until their charge is paid. */
import type { Scope } from '../../domain/core/environment.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { eventContextOfPayment } from '../payment/event-payment.ts';
import {
  DRAFTED,
  drafted,
  type InvoiceDraft,
  ISSUED,
  type IssuedInvoice,
  issuedInvoice,
  markCodes,
  nextNumber,
  orStore,
  storeDue,
  withCustomer,
} from './invoices.ts';

/**
 * Drafts an invoice, which gets its number only when it is paid (`issueDraft`).
 *
 * @returns its id
 */
export async function draftInvoice(tx: Transaction, draft: InvoiceDraft): Promise<string> {
  const invoice = await tx.one(sql.type(withCustomer)`
    insert into invoices (${DRAFTED})
    select ${drafted({ ...draft, status: 'draft' })} from customers c where c.id = ${draft.customerId}
    returning id, customer
  `);
  await markCodes(tx, invoice);
  return invoice.id;
}

/** Issues a paid draft with the next number. Without a stored date of supply, that date is the date of issue. */
export function issueDraft(
  tx: Transaction,
  scope: Scope,
  invoiceId: string,
  issuedAt: string,
): Promise<IssuedInvoice> {
  return tx.one(sql.type(issuedInvoice)`
    with ${nextNumber(scope, issuedAt)}
    update invoices set number = moment.invoice_prefix || counted.number, issued_at = moment.at,
      time_zone = moment.time_zone, supplied_at = coalesce(supplied_at, moment.at), status = 'created', amount_due = 0,
      version = version + 1, updated_at = moment.at
    from counted, moment
    where id = ${invoiceId} and invoices.status = 'draft'
    returning ${ISSUED}
  `);
}

/** Issues a draft that was paid, or stores it for the sweep, in a transaction of `inSettlementTransaction`. */
export function issueDraftOrStore(
  tx: Transaction,
  scope: Scope,
  { invoiceId, paymentId, paidAt }: { invoiceId: string; paymentId: string; paidAt: string },
): Promise<IssuedInvoice | null> {
  return orStore(
    tx,
    () => issueDraft(tx, scope, invoiceId, paidAt),
    async (error) => {
      await tx.query(sql.typeAlias('void')`
        update invoices set amount_due = 0, supplied_at = ${paidAt}, updated_at = ${paidAt} where id = ${invoiceId}
      `);
      const { context } = await eventContextOfPayment(tx, paymentId);
      await storeDue(tx, { draft: null, paymentId, context: { ...context, scope } }, error);
    },
  );
}
