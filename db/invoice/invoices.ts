/** Issues invoices: numbered without gaps, immutable once issued. */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import type { Currency } from '../../domain/core/money.ts';
import { unprintable } from '../../domain/core/printable.ts';
import { errorCode } from '../core/error-code.ts';
import { LOCKS_WITHIN_A_SECOND } from '../core/lock-timeout.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { isDatabaseUnavailable } from '../core/unavailable.ts';
import type { EventContext, EventToRecord } from '../webhook/events.ts';

export interface InvoiceDraft {
  readonly scope: Scope;
  readonly customerId: string;
  readonly orderId: string | null;
  readonly subscriptionId: string | null;
  readonly period: { readonly start: string; readonly end: string } | null;
  /** `created` is a settled invoice; `open` waits for its charge; `draft` waits for its charge and its number. */
  readonly status: 'created' | 'open' | 'draft';
  readonly amount: number;
  readonly amountDue: number;
  readonly currency: Currency;
  readonly lineItems: readonly unknown[];
  readonly supplier: unknown;
  /** The time by the billed subscription's clock; defaults to now. */
  readonly issuedAt?: string;
  /** The date of supply, for an invoice issued late; defaults to the date of issue. */
  readonly suppliedAt?: string;
  /** The customer at the time of supply, as JSON; defaults to the customer's current row. */
  readonly customer?: string;
}

export const issuedInvoice = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  amount_due: z.number(),
  version: z.number(),
});
export type IssuedInvoice = z.infer<typeof issuedInvoice>;

/** Returns the invoice as events show it. */
export function invoiceInEvent({ id, number, status, amount_due }: IssuedInvoice) {
  return { id, number, status: status as 'created', amount_due };
}

export function invoiceCreated(context: EventContext, invoice: IssuedInvoice): EventToRecord {
  return {
    ...context,
    type: 'invoice.created',
    aggregateId: invoice.id,
    aggregateVersion: invoice.version,
    invoice: invoiceInEvent(invoice),
  };
}

/**
 * Builds `moment` and `counted`: the next number, from a counter row that stays locked until the commit, because a
 * sequence would leave a gap after a rollback. Numbers are per merchant, environment and year: `2026-000001`, after the
 * merchant's prefix, with the year in the merchant's time zone. The millionth number has one more digit, so sort by
 * `id`. A single statement, because every purchase of a merchant waits for this lock, for at most a second.
 */
export function nextNumber({ merchantId, environment }: Scope, issuedAt: string | null) {
  // Read the clock before waiting for the counter's lock: the number's year is the year of issue.
  return sql.fragment`
    moment as materialized (
      select coalesce(${issuedAt}::timestamptz, service_clock()) as at, time_zone, invoice_prefix,
        invoice_first_number as first, ${LOCKS_WITHIN_A_SECOND}
      from merchants where id = ${merchantId}
    ), counted as (
      insert into invoice_counters (merchant_id, environment, year, last_number)
      select ${merchantId}, ${environment}, extract(year from at at time zone time_zone)::integer, first from moment
      on conflict (merchant_id, environment, series, year)
        do update set last_number = greatest(invoice_counters.last_number + 1, excluded.last_number)
      returning year || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0') as number
    )`;
}

/** Selects the details of customer `c` that an invoice prints. */
const CUSTOMER = sql.fragment`jsonb_build_object('id', c.id, 'external_customer_id', c.external_customer_id,
  'email', c.email, 'name', c.name, 'billing_details', c.billing_details, 'tax_value', c.tax_value, 'tax_type', c.tax_type)`;

/** The columns and values of every invoice, from customer `c`. */
export const DRAFTED = sql.fragment`merchant_id, environment, customer_id, order_id, subscription_id, period_start, period_end,
  status, amount, amount_due, currency, customer, supplier, line_items`;
export function drafted(draft: InvoiceDraft) {
  return sql.fragment`${draft.scope.merchantId}, ${draft.scope.environment}, c.id, ${draft.orderId},
      ${draft.subscriptionId}, ${draft.period?.start ?? null}::timestamptz, ${draft.period?.end ?? null}::timestamptz,
      ${draft.status}, ${draft.amount}, ${draft.amountDue}, ${draft.currency},
      coalesce(${draft.customer ?? null}::jsonb, ${CUSTOMER}),
      ${sql.jsonb(draft.supplier as object)}, ${sql.jsonb(draft.lineItems as object[])}`;
}

export const ISSUED = sql.fragment`invoices.id, invoices.number, invoices.status, invoices.amount_due, invoices.version`;

export const withCustomer = z.object({ id: z.string(), customer: z.json() });

/** Marks an invoice whose customer's details contain characters that no font has. */
export async function markCodes(
  tx: Transaction,
  { id, customer }: z.infer<typeof withCustomer>,
): Promise<void> {
  if (unprintable(JSON.stringify(customer)) === undefined) return;
  await tx.query(sql.typeAlias('void')`update invoices set prints_codes = true where id = ${id}`);
}

/** Issues an invoice with the next number, in the caller's transaction. */
export async function issueInvoice(tx: Transaction, draft: InvoiceDraft): Promise<IssuedInvoice> {
  const invoice = await tx.one(sql.type(issuedInvoice.extend(withCustomer.shape))`
    with ${nextNumber(draft.scope, draft.issuedAt ?? null)}
    insert into invoices (number, issued_at, time_zone, supplied_at, ${DRAFTED})
    select moment.invoice_prefix || counted.number, moment.at, moment.time_zone,
      coalesce(${draft.suppliedAt ?? null}::timestamptz, moment.at), ${drafted(draft)}
    from customers c, counted, moment
    where c.id = ${draft.customerId}
    returning ${ISSUED}, invoices.customer
  `);
  await markCodes(tx, invoice);
  return invoice;
}

/** A payment whose documents are yet to be issued, with the context of their events. */
export interface InvoiceDue {
  /** The invoice of a purchase; null if the payment already has an invoice: a paid draft, or one to be credited. */
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
 * Runs a transaction that may issue a document. If issuing fails while PostgreSQL is available, the transaction is run
 * again, and stores the document for later. A savepoint would cost every purchase two round trips.
 */
export async function inSettlementTransaction<Result>(
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
 * Issues a purchase's invoice in a transaction of `inSettlementTransaction`.
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
      // Store today's date of supply and customer; only the date of issue is decided later.
      const now = await tx.one(sql.type(asOfNow)`
        select service_clock() as supplied_at, ${CUSTOMER}::text as customer
        from customers c where c.id = ${due.draft.customerId}`);
      await storeDue(tx, { ...due, draft: { ...due.draft, ...now } }, error);
    },
  );
}

/** Issues a document, or stores it for later, in a transaction of `inSettlementTransaction`. */
export async function orStore<Document>(
  tx: Transaction,
  issue: () => Promise<Document>,
  storeBecause: (error: string) => Promise<void>,
): Promise<Document | null> {
  const attempt = attempts.get(tx);
  if (!attempt)
    throw new Error('a payment’s document must be issued in a transaction opened by inSettlementTransaction');
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

/** Stores what is to be issued later, in one row per payment: later credit notes are issued with it. */
export async function storeDue(tx: Transaction, due: InvoiceDue, error: string): Promise<void> {
  const { merchantId, environment } = due.context.scope;
  await tx.query(sql.typeAlias('void')`
    insert into invoices_due (payment_id, merchant_id, environment, draft, error)
    values (${due.paymentId}, ${merchantId}, ${environment}, ${JSON.stringify(due)}::json, ${error})
    on conflict (payment_id) do nothing
  `);
}
