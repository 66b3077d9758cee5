/**
 * Invoices of purchases that could not be issued with their payment (rule 40): stored with the payment, issued by the
 * sweep.
 */
import { z } from 'zod';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { errorCode, refusingObject } from '../core/error-code.ts';
import { isLockTimeout } from '../core/lock-timeout.ts';
import { camelCased, type Db, type Pool, readClock, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { isDatabaseUnavailable } from '../core/unavailable.ts';
import { type EventParts, recordEvent } from '../webhook/events.ts';
import { issueCreditNote } from './credit-notes.ts';
import { type InvoiceDraft, type IssuedInvoice, invoiceCreated, issueInvoice } from './invoices.ts';

/** A purchase's invoice and the parts of its event. */
interface InvoiceDue {
  readonly draft: InvoiceDraft;
  readonly paymentId: string;
  readonly parts: EventParts;
}

interface Attempt {
  /** Why the invoice is stored for later; null to issue it now. */
  readonly laterBecause: string | null;
  /** Wraps an error thrown by `issueInvoice`. */
  invoiceError?: unknown;
}

const attempts = new WeakMap<Transaction, Attempt>();

/**
 * A transaction that may record events. If issuing the invoice fails while PostgreSQL is available, the transaction is
 * repeated once and the invoice stored for later. No savepoint: it would cost every purchase two round trips.
 */
export async function orInvoiceLater<Result>(
  pool: Pool,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  let first: Attempt = { laterBecause: null };
  try {
    return await inTransaction(pool, (tx) => {
      first = { laterBecause: null };
      attempts.set(tx, first);
      return work(tx);
    });
  } catch (error) {
    if (error !== first.invoiceError || isDatabaseUnavailable(error)) throw error;
    return inTransaction(pool, (tx) => {
      attempts.set(tx, { laterBecause: errorCode(error) });
      return work(tx);
    });
  }
}

/**
 * Issues a purchase's invoice in a transaction of `orInvoiceLater`.
 * @returns null if it is stored for later
 */
export async function issueOrStore(tx: Transaction, due: InvoiceDue): Promise<IssuedInvoice | null> {
  const attempt = attempts.get(tx);
  if (!attempt) throw new Error('issue the invoice of a purchase in a transaction of orInvoiceLater');
  if (attempt.laterBecause !== null) {
    await storeForLater(tx, due, attempt.laterBecause);
    return null;
  }
  try {
    return await issueInvoice(tx, due.draft);
  } catch (error) {
    attempt.invoiceError = error;
    throw error;
  }
}

/** The supply happens now; the issue date is set when the invoice is issued. */
async function storeForLater(
  tx: Transaction,
  { draft, paymentId, parts }: InvoiceDue,
  error: string,
): Promise<void> {
  const suppliedAt = await readClock(tx);
  const customer = await tx.oneFirst(sql.type(z.object({ customer: z.string() }))`
    select jsonb_build_object('id', id, 'external_customer_id', external_customer_id, 'email', email,
      'name', name, 'billing_details', billing_details, 'tax_value', tax_value, 'tax_type', tax_type)::text as customer
    from customers where id = ${draft.customerId}
  `);
  const due: InvoiceDue = { draft: { ...draft, suppliedAt, customer }, paymentId, parts };
  const { merchantId, environment } = draft.scope;
  await tx.query(sql.typeAlias('void')`
    insert into invoices_due (payment_id, merchant_id, environment, draft, error)
    values (${paymentId}, ${merchantId}, ${environment}, ${JSON.stringify(due)}::json, ${error})
  `);
}

export interface InvoiceStillDue {
  readonly paymentId: string;
  readonly error: string;
  readonly refusedBy: ReturnType<typeof refusingObject>;
  readonly scope: Scope;
}

const invoiceDue = camelCased({ payment_id: z.string(), counter: z.string() });

/** Least recently tried first, with the merchant and environment of their number series. */
export function invoicesDue(db: Db, limit: number): Promise<readonly z.infer<typeof invoiceDue>[]> {
  return db.any(sql.type(invoiceDue)`
    select payment_id, merchant_id || ' ' || environment as counter
    from invoices_due order by tried_at limit ${limit}`);
}

/**
 * Issues due invoices, least recently tried first. Waits once for a locked counter.
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

/** Issues the invoice, records its event and deletes its row in one transaction. */
async function issueDue(tx: Transaction, paymentId: string): Promise<void> {
  const stored = await tx.maybeOneFirst(sql.type(z.object({ draft: z.string() }))`
    delete from invoices_due
    where payment_id = (select payment_id from invoices_due where payment_id = ${paymentId} for update skip locked)
    returning draft::text as draft`);
  if (stored === null) return;
  const { draft, parts } = JSON.parse(stored) as InvoiceDue;
  const invoice = await issueInvoice(tx, draft);
  await tx.query(
    sql.typeAlias('void')`update payments set invoice_id = ${invoice.id} where id = ${paymentId}`,
  );
  await recordEvent(tx, invoiceCreated(parts, invoice));
  await creditEarlierRefunds(tx, invoice.id, paymentId, parts);
}

/** Refunds of a payment whose invoice did not exist yet. The write of its `invoice_id` has locked the payment. */
async function creditEarlierRefunds(
  tx: Transaction,
  invoiceId: string,
  paymentId: string,
  { scope, ...parts }: EventParts,
): Promise<void> {
  const refunds = await tx.any(sql.type(z.object({ id: z.string(), amount: z.number() }))`
    select id, amount from refunds where payment_id = ${paymentId} and status = 'succeeded' order by updated_at, id`);
  for (const { id: refundId, amount } of refunds)
    await issueCreditNote(tx, { scope, invoiceId, paymentId, refundId, reason: 'refund', amount }, parts);
}

function noteFailure(db: Db, paymentId: string, error: string): Promise<Scope> {
  return db.one(sql.type(camelCased({ merchant_id: z.string(), environment: z.enum(ENVIRONMENTS) }))`
    update invoices_due set tried_at = service_clock(), error = ${error} where payment_id = ${paymentId}
    returning merchant_id, environment`);
}

/** Alerts once per payment. */
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
