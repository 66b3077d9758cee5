/**
 * Issues, in the sweep, documents that could not be issued with the money (rule 40): invoices of purchases and of
 * plan changes, and credit notes of refunds and lost disputes.
 */
import { z } from 'zod';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { errorCode, refusingObject } from '../core/error-code.ts';
import { isLockTimeout } from '../core/lock-timeout.ts';
import { camelCased, type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { type EventContext, recordEvent } from '../webhook/events.ts';
import { issueCreditNote } from './credit-notes.ts';
import { issueDraft } from './draft-invoice.ts';
import { type InvoiceDue, invoiceCreated, issueInvoice } from './invoices.ts';

export interface InvoiceStillDue {
  readonly paymentId: string;
  readonly error: string;
  readonly refusedBy: ReturnType<typeof refusingObject>;
  readonly scope: Scope;
}

const invoiceDue = camelCased({ payment_id: z.string(), counter: z.string() });

/** Returns due invoices, least recently tried first, with the merchant and environment of their number series. */
export function invoicesDue(db: Db, limit: number): Promise<readonly z.infer<typeof invoiceDue>[]> {
  return db.any(sql.type(invoiceDue)`
    select payment_id, merchant_id || ' ' || environment as counter
    from invoices_due order by tried_at limit ${limit}`);
}

/**
 * Issues due invoices, least recently tried first. Waits only once for a locked counter.
 *
 * @returns the invoices that still fail
 */
export async function issueInvoicesDue(pool: Pool, limit: number): Promise<readonly InvoiceStillDue[]> {
  const stillDue: InvoiceStillDue[] = [];
  const locked = new Set<string>();
  for (const { paymentId, counter } of await invoicesDue(pool, limit)) {
    if (locked.has(counter)) continue;
    try {
      await inTransaction(pool, (tx) => issueDue(tx, paymentId));
    } catch (caught) {
      if (isLockTimeout(caught)) locked.add(counter);
      const error = errorCode(caught);
      const scope = await noteFailure(pool, paymentId, error);
      stillDue.push({ paymentId, error, refusedBy: refusingObject(caught), scope });
    }
  }
  return stillDue;
}

const payment = z.object({
  invoice_id: z.string().nullable(),
  /** False for the draft of a paid plan change. */
  is_issued: z.boolean(),
  now: z.string(),
});

/** Issues a payment's due documents with their events and deletes its row. Locks the payment first, as refunds do. */
async function issueDue(tx: Transaction, paymentId: string): Promise<void> {
  const { invoice_id, is_issued, now } = await tx.one(sql.type(payment)`
    select i.id as invoice_id, i.number is not null as is_issued, subscription_clock(i.subscription_id) as now
    from payments p left join invoices i on i.id = p.invoice_id where p.id = ${paymentId} for update of p`);
  const stored = await tx.maybeOneFirst(sql.type(z.object({ draft: z.string() }))`
    delete from invoices_due
    where payment_id = (select payment_id from invoices_due where payment_id = ${paymentId} for update skip locked)
    returning draft::text as draft`);
  if (stored === null) return;
  const { draft, context } = JSON.parse(stored) as InvoiceDue;
  if (invoice_id && is_issued) return creditEarlier(tx, invoice_id, paymentId, context);
  if (!draft && !invoice_id) throw new Error(`${paymentId} has neither an invoice nor a draft`);
  const invoice = draft
    ? await issueInvoice(tx, draft)
    : await issueDraft(tx, context.scope, invoice_id as string, now);
  await tx.query(
    sql.typeAlias('void')`update payments set invoice_id = ${invoice.id} where id = ${paymentId}`,
  );
  await recordEvent(tx, invoiceCreated(context, invoice));
  await creditEarlier(tx, invoice.id, paymentId, context);
}

const creditedEarlier = z.object({
  id: z.string(),
  reason: z.enum(['refund', 'dispute']),
  /** Null for the whole remaining amount. */
  amount: z.number().nullable(),
});

/**
 * Credits the refunds and lost disputes of a locked payment that have no credit note yet, except refunds that the rail
 * has reversed.
 */
async function creditEarlier(
  tx: Transaction,
  invoiceId: string,
  paymentId: string,
  { scope, ...context }: EventContext,
): Promise<void> {
  const causes = await tx.any(sql.type(creditedEarlier)`
    select id, 'refund' as reason, amount, updated_at from refunds
    where payment_id = ${paymentId} and status = 'succeeded'
      and not exists (select from operator_alerts where reference = refunds.id and code = 'refund_reversed_by_rail')
    union all
    select d.id, 'dispute', case when d.currency = p.currency then d.amount end, d.updated_at
    from disputes d join payments p on p.id = d.payment_id
    where d.payment_id = ${paymentId} and d.status = 'lost' and d.credits
    order by updated_at, id`);
  for (const { id, reason, amount } of causes) {
    const of = { refundId: reason === 'refund' ? id : null, disputeId: reason === 'dispute' ? id : null };
    await issueCreditNote(tx, { scope, invoiceId, paymentId, ...of, reason, amount }, context);
  }
}

function noteFailure(db: Db, paymentId: string, error: string): Promise<Scope> {
  return db.one(sql.type(camelCased({ merchant_id: z.string(), environment: z.enum(ENVIRONMENTS) }))`
    update invoices_due set tried_at = service_clock(), error = ${error} where payment_id = ${paymentId}
    returning merchant_id, environment`);
}

/** Notifies the merchant, once per payment. */
export async function alertOfInvoice(pool: Pool, { paymentId, scope }: InvoiceStillDue): Promise<void> {
  await inTransaction(pool, (tx) =>
    recordEvent(tx, {
      scope,
      type: 'billing.operational_alert',
      aggregateId: `${paymentId}-invoice`,
      aggregateVersion: 1,
      alert: { code: 'invoice_not_issued', reference: paymentId },
    }),
  );
}
