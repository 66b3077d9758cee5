/** Documents that could not be written with their change (rule 40): stored with it, written later by the sweep. */
import { z } from 'zod';
import { ENVIRONMENTS, type Scope } from '../../domain/core/environment.ts';
import { errorCode, refusingObject } from '../core/error-code.ts';
import { type Db, type Pool, readClock, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/settlement.ts';
import { type EventParts, type EventToRecord, recordEvent } from '../webhook/events.ts';
import { type InvoiceDraft, type IssuedInvoice, invoicePart, issueInvoice } from './invoices.ts';

/** A purchase's invoice and the parts of its event. */
interface InvoiceDue {
  readonly draft: InvoiceDraft;
  readonly paymentId: string;
  readonly parts: EventParts;
}

/** Sets a purchase's invoice aside: supply date now, issue date when it is written. */
export async function setInvoiceAside(
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
  await tx.query(sql.unsafe`
    insert into documents_due (key, kind, merchant_id, environment, reference, draft, error)
    values (${paymentId}, 'invoice', ${merchantId}, ${environment}, ${paymentId}, ${JSON.stringify(due)}::json, ${error})
    on conflict (key) do nothing
  `);
}

/** Writes the missing invoice of a settled payment, and its event. */
async function writeInvoice(tx: Transaction, { draft, paymentId, parts }: InvoiceDue): Promise<void> {
  const invoice: IssuedInvoice = await issueInvoice(tx, draft);
  await tx.query(sql.unsafe`update payments set invoice_id = ${invoice.id} where id = ${paymentId}`);
  await recordEvent(tx, {
    ...parts,
    type: 'invoice.created',
    aggregateId: invoice.id,
    aggregateVersion: invoice.version,
    invoice: invoicePart(invoice),
  });
}

const due = z.object({ id: z.number(), reference: z.string() });
const document = z.object({ kind: z.enum(['event', 'invoice']), draft: z.string() });

export interface DocumentStillDue {
  readonly reference: string;
  readonly error: string;
  readonly refusedBy: ReturnType<typeof refusingObject>;
  readonly scope: Scope;
}

/** Least recently tried first. */
export function documentsDue(db: Db, limit: number): Promise<readonly z.infer<typeof due>[]> {
  return db.any(sql.type(due)`select id, reference from documents_due order by tried_at limit ${limit}`);
}

/**
 * Writes due documents, least recently tried first.
 * @returns the documents that still fail
 */
export async function writeDocumentsDue(pool: Pool, limit: number): Promise<readonly DocumentStillDue[]> {
  const stillDue: DocumentStillDue[] = [];
  for (const { id, reference } of await documentsDue(pool, limit)) {
    try {
      await inTransaction(pool, (tx) => writeOne(tx, id));
    } catch (caught) {
      const error = errorCode(caught);
      const scope = await noteFailure(pool, id, error);
      stillDue.push({ reference, error, refusedBy: refusingObject(caught), scope });
    }
  }
  return stillDue;
}

/** Writes the document and deletes its row in one transaction. */
async function writeOne(tx: Transaction, id: number): Promise<void> {
  const row = await tx.maybeOne(sql.type(document)`
    delete from documents_due
    where id = (select id from documents_due where id = ${id} for update skip locked)
    returning kind, draft::text as draft`);
  if (row?.kind === 'invoice') await writeInvoice(tx, JSON.parse(row.draft) as InvoiceDue);
  if (row?.kind === 'event') await recordEvent(tx, JSON.parse(row.draft) as EventToRecord);
}

function noteFailure(db: Db, id: number, error: string): Promise<Scope> {
  return db.one(sql.type(z.object({ merchantId: z.string(), environment: z.enum(ENVIRONMENTS) }))`
    update documents_due set tried_at = service_clock(), error = ${error} where id = ${id}
    returning merchant_id as "merchantId", environment`);
}

/** Alerts once per reference. */
export async function alertOfDocument(pool: Pool, { reference, scope }: DocumentStillDue): Promise<void> {
  await inTransaction(pool, (tx) =>
    recordEvent(tx, {
      scope,
      type: 'billing.operational_alert',
      aggregateId: `${reference}-document`,
      aggregateVersion: 1,
      alert: { code: 'document_not_written', reference },
    }),
  );
}
