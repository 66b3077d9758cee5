/**
 * Invoices of purchases and credit notes of refunds and lost disputes that could not be issued with the money (rule 40): stored with it,
 * issued by the sweep.
 */
import { z } from 'zod';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { errorCode, refusingObject } from '../core/error-code.ts';
import { isLockTimeout } from '../core/lock-timeout.ts';
import { camelCased, type Db, type Pool, readClock, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { isDatabaseUnavailable } from '../core/unavailable.ts';
import { type EventParts, recordEvent } from '../webhook/events.ts';
import { type Credit, issueCreditNote } from './credit-notes.ts';
import { type InvoiceDraft, type IssuedInvoice, invoiceCreated, issueInvoice } from './invoices.ts';

/** A purchase's invoice and the parts of its event, or credit notes of an invoice that exists. */
interface InvoiceDue {
  /** Null if only credit notes are due. */
  readonly draft: InvoiceDraft | null;
  readonly paymentId: string;
  readonly parts: EventParts;
}

interface Attempt {
  /** Why the document is stored for later; null to issue it now. */
  readonly laterBecause: string | null;
  /** Why it could not be issued. */
  documentError?: unknown;
}

const attempts = new WeakMap<Transaction, Attempt>();

/**
 * A transaction that may record events. If issuing the document fails while PostgreSQL is available, the transaction is
 * repeated once and the document stored for later. No savepoint: it would cost every purchase two round trips.
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
    if (error !== first.documentError || isDatabaseUnavailable(error)) throw error;
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
export function issueOrStore(
  tx: Transaction,
  due: InvoiceDue & { readonly draft: InvoiceDraft },
): Promise<IssuedInvoice | null> {
  return orStore(
    tx,
    () => issueInvoice(tx, due.draft),
    async (error) => store(tx, { ...due, draft: await asOfNow(tx, due.draft) }, error),
  );
}

/** Issues a payment's credit note, or stores it for later, in a transaction of `orInvoiceLater`. */
export async function creditOrStore(
  tx: Transaction,
  credit: Credit & { readonly paymentId: string },
  parts: Omit<EventParts, 'scope'>,
): Promise<void> {
  const { scope, paymentId } = credit;
  await orStore(
    tx,
    () => issueCreditNote(tx, credit, parts),
    (error) => store(tx, { draft: null, paymentId, parts: { ...parts, scope } }, error),
  );
}

async function orStore<Document>(
  tx: Transaction,
  issue: () => Promise<Document>,
  storeBecause: (error: string) => Promise<void>,
): Promise<Document | null> {
  const attempt = attempts.get(tx);
  if (!attempt) throw new Error('issue the document of a payment in a transaction of orInvoiceLater');
  if (attempt.laterBecause !== null) {
    await storeBecause(attempt.laterBecause);
    return null;
  }
  try {
    return await issue();
  } catch (error) {
    attempt.documentError = error;
    throw error;
  }
}

/** The supply happens now; the issue date is set when the invoice is issued. */
async function asOfNow(tx: Transaction, draft: InvoiceDraft): Promise<InvoiceDraft> {
  const suppliedAt = await readClock(tx);
  const customer = await tx.oneFirst(sql.type(z.object({ customer: z.string() }))`
    select jsonb_build_object('id', id, 'external_customer_id', external_customer_id, 'email', email,
      'name', name, 'billing_details', billing_details, 'tax_value', tax_value, 'tax_type', tax_type)::text as customer
    from customers where id = ${draft.customerId}
  `);
  return { ...draft, suppliedAt, customer };
}

/** A second credit note of a payment follows with the first. */
async function store(tx: Transaction, due: InvoiceDue, error: string): Promise<void> {
  const { merchantId, environment } = due.parts.scope;
  await tx.query(sql.typeAlias('void')`
    insert into invoices_due (payment_id, merchant_id, environment, draft, error)
    values (${due.paymentId}, ${merchantId}, ${environment}, ${JSON.stringify(due)}::json, ${error})
    on conflict (payment_id) do nothing
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

const payment = z.object({ invoice_id: z.string().nullable() });

/** Issues what is due, records its events and deletes its row in one transaction. Refunds lock the payment first too. */
async function issueDue(tx: Transaction, paymentId: string): Promise<void> {
  const invoiceId = await tx.oneFirst(sql.type(payment)`
    select invoice_id from payments where id = ${paymentId} for update`);
  const stored = await tx.maybeOneFirst(sql.type(z.object({ draft: z.string() }))`
    delete from invoices_due
    where payment_id = (select payment_id from invoices_due where payment_id = ${paymentId} for update skip locked)
    returning draft::text as draft`);
  if (stored === null) return;
  const { draft, parts } = JSON.parse(stored) as InvoiceDue;
  await creditEarlier(tx, invoiceId ?? (await issueFor(tx, paymentId, draft, parts)), paymentId, parts);
}

/** @returns the invoice's id */
async function issueFor(
  tx: Transaction,
  paymentId: string,
  draft: InvoiceDraft | null,
  parts: EventParts,
): Promise<string> {
  if (!draft) throw new Error(`${paymentId} has no invoice to credit`);
  const invoice = await issueInvoice(tx, draft);
  await tx.query(
    sql.typeAlias('void')`update payments set invoice_id = ${invoice.id} where id = ${paymentId}`,
  );
  await recordEvent(tx, invoiceCreated(parts, invoice));
  return invoice.id;
}

const creditedEarlier = z.object({
  id: z.string(),
  reason: z.enum(['refund', 'dispute']),
  amount: z.number(),
});

/** Refunds and lost disputes of a locked payment that have no credit note yet. */
async function creditEarlier(
  tx: Transaction,
  invoiceId: string,
  paymentId: string,
  { scope, ...parts }: EventParts,
): Promise<void> {
  const causes = await tx.any(sql.type(creditedEarlier)`
    select id, 'refund' as reason, amount, updated_at from refunds
    where payment_id = ${paymentId} and status = 'succeeded'
    union all
    select d.id, 'dispute', d.amount, d.updated_at from disputes d join merchants m on m.id = d.merchant_id
    where d.payment_id = ${paymentId} and d.status = 'lost' and m.credit_note_on_lost_dispute
    order by updated_at, id`);
  for (const { id, reason, amount } of causes) {
    const of = { refundId: reason === 'refund' ? id : null, disputeId: reason === 'dispute' ? id : null };
    await issueCreditNote(tx, { scope, invoiceId, paymentId, ...of, reason, amount }, parts);
  }
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
