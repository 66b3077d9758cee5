/**
 * Documents that cannot be issued together with the money: their data is stored with the money (rule 40), and the
 * sweep issues them (`invoices-due.ts`).
 */
import { z } from 'zod';
import { errorCode } from '../core/error-code.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { isDatabaseUnavailable } from '../core/unavailable.ts';
import type { EventContext } from '../webhook/events.ts';
import { CUSTOMER, type InvoiceDraft, type IssuedInvoice, issueInvoice } from './invoices.ts';

/** A payment whose documents are to be issued, with the context of their events. */
export interface InvoiceDue {
  /** The invoice of a purchase; null if the payment already has one, a paid draft or one to be credited. */
  readonly draft: InvoiceDraft | null;
  readonly paymentId: string;
  readonly context: EventContext;
}

interface Attempt {
  /** Why the document is stored for later; null to issue the document now. */
  readonly laterBecause: string | null;
  /** Why issuing the document failed. */
  documentError?: unknown;
}

const attempts = new WeakMap<Transaction, Attempt>();

/**
 * Runs a transaction that may issue a document. If issuing fails while PostgreSQL is available, the transaction is
 * repeated once, and stores the document for later. No savepoint: it would cost every purchase two round trips.
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

/** The date of supply, and the customer at that time. */
const asOfNow = camelCased({ supplied_at: z.string(), customer: z.string() });

/**
 * Issues a purchase's invoice in a transaction of `orInvoiceLater`.
 *
 * @returns null if the invoice is stored for later
 */
export function issueOrStore(
  tx: Transaction,
  due: InvoiceDue & { readonly draft: InvoiceDraft },
): Promise<IssuedInvoice | null> {
  return orStore(
    tx,
    () => issueInvoice(tx, due.draft),
    async (error) => {
      // The date of issue is set when the invoice is issued.
      const now = await tx.one(sql.type(asOfNow)`
        select service_clock() as supplied_at, ${CUSTOMER}::text as customer
        from customers c where c.id = ${due.draft.customerId}`);
      await storeDue(tx, { ...due, draft: { ...due.draft, ...now } }, error);
    },
  );
}

/** Issues a document, or stores it for later, in a transaction of `orInvoiceLater`. */
export async function orStore<Document>(
  tx: Transaction,
  issue: () => Promise<Document>,
  storeBecause: (error: string) => Promise<void>,
): Promise<Document | null> {
  const attempt = attempts.get(tx);
  if (!attempt)
    throw new Error('the document of a payment must be issued in a transaction of orInvoiceLater');
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

/** Stores a document to be issued later, one row per payment: later credit notes are issued with it. */
export async function storeDue(tx: Transaction, due: InvoiceDue, error: string): Promise<void> {
  const { merchantId, environment } = due.context.scope;
  await tx.query(sql.typeAlias('void')`
    insert into invoices_due (payment_id, merchant_id, environment, draft, error)
    values (${due.paymentId}, ${merchantId}, ${environment}, ${JSON.stringify(due)}::json, ${error})
    on conflict (payment_id) do nothing
  `);
}
